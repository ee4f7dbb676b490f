// Made by generate_client.py from the API's description. Do not edit.

export type AccountStatus = "active" | "deleted" | "suspended";

export interface Answer {
  answer: string;
  public?: boolean;
}

export interface ApiToken {
  id: string;
  name: string;
  scopes: string[];
  created_at: string | null;
  expires_at: string | null;
  last_used_at: string | null;
}

export interface ApiTokens {
  items: ApiToken[];
}

export interface AppliedRejudge {
  state: RejudgeState;
  applied: number;
  dropped: number;
}

export type ArchiveFormat = "zip" | "tar";

export interface Asset {
  name: string;
  content_type: string;
  object: ObjectRef;
}

export interface Attempt {
  attempt: number;
  worker: string;
  started_at: string | null;
  ended_at: string | null;
  outcome: string | null;
  reason: string | null;
  toolchain: string | null;
}

export interface AuditEntry {
  id: string;
  at: string;
  user_id: string | null;
  event: string;
  origin: AuditOrigin;
  detail: string;
}

export interface AuditLog {
  items: AuditEntry[];
  page: PageInfo;
}

export interface AuditOrigin {
  address: string;
  user_agent: string;
}

export type Band = "bulk" | "contest" | "normal";

export interface BestSubmission {
  submission: Submission | null;
}

export interface BoardCell {
  label: string;
  rejected: number;
  pending: number;
  solved: boolean;
  solved_after_ms: number | null;
  first_to_solve: boolean;
  score: number;
}

export interface BoardRow {
  rank: number;
  participant: Participant;
  solved: number;
  score: number;
  penalty_minutes: number;
  penalty_ms: number;
  cells: BoardCell[];
  sort_key: string;
}

export type BoardView = "admin" | "frozen" | "own" | "public";

export interface BuiltinChecker {
  mode: BuiltinMode;
  ignore_trailing_space?: boolean;
  collapse_spaces?: boolean;
  ignore_case?: boolean;
  normalise_unicode?: boolean;
  absolute_tolerance?: string;
  relative_tolerance?: string;
  space_change_sensitive?: boolean;
}

export type BuiltinMode = "exact" | "icpc" | "lines" | "tokens";

export interface Bundle {
  name: string;
  parts: string[];
  scoring: GroupScoring;
  points?: number | null;
  unbounded?: boolean;
  breaks_on_reject?: boolean;
  grader_arguments?: string[];
}

export interface CaptchaRequest {
  email: string;
  purpose: "change_password" | "register";
}

export interface CaptchaSent {
  next_allowed_at: string | null;
}

export interface Case {
  name: string;
  input: ObjectRef;
  answer: ObjectRef;
  group?: string;
  points?: number | null;
  sample?: boolean;
  reject_points?: number | null;
  checker_arguments?: CheckerArguments | null;
  time_ms?: number | null;
  memory_bytes?: number | null;
  arguments?: string[];
  files?: NamedObject[];
  of_source?: boolean;
}

export type CaseFile = "input" | "answer";

export interface CaseResult {
  number: number;
  name: string;
  verdict: Verdict | null;
  time_ms: number;
  memory_bytes: number;
  exit_code: number;
  signal: number;
  message: string;
  points: number | null;
  sample: boolean;
}

export type Cause = "backing_off" | "cancelled" | "dead" | "finished" | "no_able_worker" | "no_worker_for_language" | "running" | "waiting_behind" | "worker_lost";

export interface Checker {
  builtin?: BuiltinChecker | null;
  program?: CheckerProgram | null;
  after?: CheckerProgram | null;
  also?: CheckerProgram[];
}

export interface CheckerArguments {
  words: string[];
}

export interface CheckerLimits {
  time_ms: number;
  memory_bytes: number;
  output_bytes?: number | null;
}

export interface CheckerProgram {
  language: string;
  sources: NamedObject[];
  arguments?: string[];
  convention: Convention;
  interactive?: boolean;
  scores?: boolean;
  limits?: CheckerLimits | null;
  passes?: number;
  communication?: Communication | null;
}

export interface Clarification {
  id: string;
  asked_by: string | null;
  problem_id: string | null;
  text: string;
  asked_at: string | null;
  answer: string | null;
  answered_by: string | null;
  answered_at: string | null;
  public: boolean;
}

export interface Clarifications {
  items: Clarification[];
  page: PageInfo;
}

export interface Communication {
  copies?: number;
  by_name?: boolean;
}

export interface CompactBoard {
  sequence: number;
  view: BoardView;
  problems: string[];
  columns: string[];
  cell_columns: string[];
  rows: ([number, string, string, ParticipantKind, number, number, number, string, ((number | null)[])[]])[];
}

export interface Contest {
  id: string;
  title: string;
  owner_id: string;
  format: Format;
  schedule: Schedule;
  entry: ShownEntry;
  phase: Phase;
  participants: number;
  description: string;
  options: FormatOptions | null;
  problems: ShownProblem[];
  admin_ids: string[];
  judge_ids: string[];
  invited_ids: string[];
  unfrozen_at: string | null;
  finalized_at: string | null;
  work: Work | null;
  version: number;
}

export interface ContestDetail {
  contest: Contest;
  participant: Participant | null;
  staff: boolean;
  administers: boolean;
}

export interface ContestDraft {
  title: string;
  description?: string;
  format: Format;
  options?: FormatOptions | null;
  schedule: Schedule;
  problems?: ContestProblem[];
  entry?: Entry;
  password?: string;
  invited_ids?: string[];
  admin_ids?: string[];
  judge_ids?: string[];
}

export interface ContestEdit {
  version: number;
  draft: ContestDraft;
}

export interface ContestProblem {
  problem_id: string;
  label: string;
  points?: number | null;
  colour?: string;
}

export interface ContestSummary {
  id: string;
  title: string;
  owner_id: string;
  format: Format;
  schedule: Schedule;
  entry: ShownEntry;
  phase: Phase;
  participants: number;
}

export interface Contests {
  items: ContestSummary[];
  page: PageInfo;
}

export type Convention = "cms" | "coci" | "dmoj" | "hustoj" | "icpc" | "lemon" | "peg" | "qduoj" | "source" | "syzoj" | "testlib" | "uoj";

export interface CountedSubmission {
  submission_id: string;
  label: string;
  verdict: Verdict | null;
  score: number;
  after_start_ms: number;
  effect: string;
}

export interface CreatedApiToken {
  token: ApiToken;
  secret: string;
}

export interface CreatedUser {
  user: User;
  password: string | null;
}

export type CreationOutcome = "created" | "exists" | "refused";

export interface DayCount {
  day: string;
  submitted: number;
  accepted: number;
}

export interface DeadLetter {
  submission_id: string;
  reason: string;
  last_error: string;
  attempts: number;
  died_at: string | null;
  replayed_as: string | null;
  replayed_status: Status | null;
  replay_of: string | null;
  contest_id: string | null;
  user_id: string;
  problem_id: string;
  language: string;
  user_name?: string | null;
  problem_slug?: string | null;
  problem_title?: string | null;
}

export interface DeadLetterGroup {
  group: string;
  reason: string;
  last_error: string;
  submissions: number;
  first_died_at: string | null;
  last_died_at: string | null;
  languages: string[];
}

export interface DeadLetterGroups {
  items: DeadLetterGroup[];
}

export interface DeadLetters {
  items: DeadLetter[];
  page: PageInfo;
}

export interface DiscardedRejudge {
  state: RejudgeState;
  discarded: number;
}

export interface DoorLimits {
  exempt_networks: string[];
  streams: number;
  streams_of_one: number;
  streams_of_guests: number;
  body_bytes: number;
}

export interface Drain {
  name: string;
  reason: string;
  drained_by: string | null;
  drained_at: string;
  hand_back_at: string;
}

export interface Drains {
  items: Drain[];
}

export interface Entry {
  private?: boolean;
  during_contest?: boolean;
  virtual_allowed?: boolean;
  cancel_during_contest?: boolean;
}

export interface EntryCheck {
  phase: Phase | null;
}

export interface Explanation {
  status: Status;
  lane: Lane;
  band: Band;
  ahead: number | null;
  lease_owner: string | null;
  lease_until: string | null;
  attempts: Attempt[];
  next_retry_at: string | null;
  summary: string;
  cause: Cause;
  estimate_ms: number | null;
  reason_code: string | null;
  worker: string | null;
}

export interface Extension {
  by_ms: number;
  reason?: string;
}

export interface FieldError {
  field: string;
  message: string;
}

export type FileFormat = "csv" | "json";

export interface FileNames {
  input?: string;
  output?: string;
}

export type Format = "atcoder" | "codeforces" | "icpc" | "ioi" | "oi";

export interface FormatOptions {
  penalty_minutes?: number | null;
  rounding?: PenaltyRounding | null;
  decay_minutes?: number | null;
  wrong_try_points?: number | null;
  floor_percent?: number | null;
}

export type GapCode = "last_minutes" | "nobody_better" | "not_on_the_board" | "out_of_competition" | "penalty_minutes" | "points_micros" | "seconds" | "solved";

export interface Grader {
  language: string;
  sources: NamedObject[];
  limits?: CheckerLimits | null;
}

export type GrantedRole = "admin" | "contestant" | "judge" | "setter";

export interface Group {
  name: string;
  scoring: GroupScoring;
  points?: number | null;
  depends_on?: string[];
  break_on_reject?: boolean;
  unbounded?: boolean;
  lowered_by_dependencies?: boolean;
  grader_arguments?: string[];
}

export interface GroupResult {
  name: string;
  score: number;
}

export type GroupScoring = "all" | "graded" | "max" | "min" | "sum";

export interface HashCount {
  problem_id: string;
  judge_hash: string | null;
  problem_revisions: number[];
  outdated: boolean;
  submissions: number;
}

export interface Health {
  status: "degraded" | "ok";
  services: Record<string, "not serving" | "serving">;
}

export interface HostCredential {
  credential: string;
}

export interface HostSettings {
  name: string;
  env: string;
  record_address: string;
  question_address: string;
  redis_url: string;
  s3_endpoint: string;
  s3_bucket: string;
  s3_access_key: string;
  s3_secret_key: string;
  tls: string;
  authorities: string;
  reference_ms: number;
}

export interface Ignoring {
  ignored: boolean;
  reason?: string;
}

export interface ImportDone {
  problem: Problem;
  objects_uploaded: number;
  objects_already_there: number;
  warnings: string[];
  messages: ImportMessage[];
  format: string;
  problems: ImportedProblem[];
  left_out: LeftOutProblem[];
}

export interface ImportMessage {
  level: MessageLevel;
  file: string;
  text: string;
}

export interface ImportedParticipant {
  name: string;
  user_id: string | null;
  refused: string | null;
}

export interface ImportedParticipants {
  items: ImportedParticipant[];
  enrolled: number;
  refused: number;
}

export interface ImportedProblem {
  id: string;
  slug: string;
  title: string;
  revision: number;
}

export interface ImportedUser {
  line: number;
  name: string;
  display_name: string;
  outcome: CreationOutcome;
  reason?: string | null;
  user_id?: string | null;
  password?: string | null;
  enrolled?: boolean | null;
}

export interface ImportedUsers {
  items: ImportedUser[];
  created: number;
  refused: number;
}

export interface IncludedFiles {
  languages?: string[];
  files: NamedObject[];
  main?: string;
  source_name?: string;
  before?: string;
  after?: string;
}

export interface Interval {
  from: string;
  before: string;
}

export interface Invitation {
  id: string;
  code: string;
  uses_left: number;
  created_at: string;
  expires_at: string | null;
  note: string;
}

export interface Invitations {
  items: Invitation[];
}

export interface JudgeSpec {
  cases: Case[];
  groups?: Group[];
  checker: Checker;
  stop_at_first_failure?: boolean;
  form?: SubmissionForm | null;
  bundles?: Bundle[];
  grader?: Grader | null;
  source_checker?: CheckerProgram | null;
}

export type Lane = "heavy" | "light";

export interface Language {
  slug: string;
  name: string;
  version: string | null;
  available: boolean;
  lane: Lane;
  time_factor_milli: number;
  memory_factor_milli: number;
  source_name: string;
  template: string;
  install_hint: string;
}

export interface LanguageLimits {
  language: string;
  time_ms?: number | null;
  memory_bytes?: number | null;
}

export interface Languages {
  items: Language[];
}

export interface LeftOutProblem {
  name: string;
  code: string;
  message: string;
}

export type Level = "easy" | "hard" | "medium";

export interface ListingEdit {
  version: number;
  slug?: string;
  level?: Level | null;
  tags?: string[];
}

export interface LoggedSubmission {
  submission_id: string;
  user_id: string;
  display_name: string;
  problem_id: string;
  label: string;
  submitted_at: string;
}

export interface LoggedSubmissions {
  items: LoggedSubmission[];
}

export interface Login {
  login: string;
  password: string;
  transport?: "bearer" | "cookie";
}

export interface LogoutBody {
  refresh_token?: string | null;
  everywhere?: boolean;
}

export type Mark = "solved" | "tried";

export type MessageLevel = "danger" | "info" | "warning";

export type Mine = "solved" | "tried" | "untouched";

export interface NamedObject {
  name: string;
  object: ObjectRef;
}

export interface NewApiToken {
  name: string;
  scopes: TokenScope[];
  expires_at?: string | null;
}

export interface NewClarification {
  problem_id?: string | null;
  text: string;
}

export interface NewDrain {
  name: string;
  reason?: string;
  hand_back_after_ms?: number;
}

export interface NewInvitation {
  uses?: number;
  expires_at?: string | null;
  note?: string;
}

export interface NewPasswordAnswer {
  password: string;
}

export interface NewRejudge {
  rejudge_id?: string | null;
  submission_id?: string | null;
  filter?: RejudgeFilter | null;
  reason?: string;
}

export interface NewRun {
  language: string;
  source: string;
  sample?: ShownSample | null;
  input?: string;
  time_limit_ms?: number | null;
  memory_limit_bytes?: number | null;
}

export interface NewSubmission {
  problem_id: string;
  contest_id?: string | null;
  language: string;
  source: string;
}

export interface NewUser {
  name: string;
  display_name?: string;
  email?: string | null;
  role?: GrantedRole;
  password?: string | null;
}

export interface Now {
  sentence_code: Trouble | null;
  sentence: string;
  stuck: Stuck[];
  queues: QueueDepth[];
  workers: WorkerNow[];
  rates: Rates | null;
  stores: Stores;
  processes: ProcessNow[];
  dead_groups: DeadLetterGroup[];
}

export interface ObjectRef {
  sha256: string;
  size: number;
}

export type PackageFormat = "2025-09" | "legacy" | "polygon";

export interface PageInfo {
  next_cursor?: string | null;
}

export interface Participant {
  user_id: string;
  display_name: string;
  kind: ParticipantKind;
  signed_up_at: string | null;
  virtual_start: string | null;
  penalty_adjustment_minutes: number;
}

export interface ParticipantEdit {
  kind?: ParticipantKind | null;
  penalty_adjustment_minutes?: number | null;
  display_name?: string | null;
}

export type ParticipantKind = "hidden" | "official" | "unofficial" | "virtual";

export interface ParticipantNames {
  names: string[];
}

export interface Participants {
  items: Participant[];
  page: PageInfo;
}

export interface PasswordChange {
  email: string;
  captcha: string;
  new_password: string;
}

export interface PasswordReplacement {
  password: string;
  new_password: string;
}

export type PenaltyRounding = "on_the_sum" | "per_submission";

export type Phase = "before" | "ended" | "finalized" | "frozen" | "running";

export interface Problem {
  id: string;
  slug: string;
  title: string;
  level: Level | null;
  tags: string[];
  enabled: boolean;
  revision: number;
  updated_at: string | null;
  owner_id: string;
  statements: Statement[];
  samples: Sample[];
  limits: ProblemLimits | null;
  languages: string[];
  assets: Asset[];
  created_at: string | null;
  version: number;
}

export interface ProblemDetails {
  type: string;
  title: string;
  status: number;
  detail: string;
  reason: string;
  request_id?: string;
  trace_id?: string;
  errors?: FieldError[];
}

export interface ProblemDraft {
  slug: string;
  level?: Level | null;
  tags?: string[];
  statements: Statement[];
  samples?: Sample[];
  limits?: ProblemLimits | null;
  languages?: string[];
  judging?: JudgeSpec | null;
  assets?: Asset[];
}

export interface ProblemEdit {
  version: number;
  draft: ProblemDraft;
}

export interface ProblemJudging {
  revision: number;
  judge_hash: string;
  judging: JudgeSpec;
  limits: ProblemLimits;
  languages: string[];
}

export interface ProblemLimits {
  time_ms?: number | null;
  memory_bytes?: number | null;
  output_bytes?: number | null;
  stack_bytes?: number | null;
  processes?: number | null;
  source_bytes?: number | null;
  per_language?: LanguageLimits[];
}

export interface ProblemRevision {
  number: number;
  made_by: string;
  made_at: string | null;
  judge_hash: string;
  changes: RevisionPart[];
  outdated_submissions?: number | null;
}

export interface ProblemRevisions {
  items: ProblemRevision[];
}

export interface ProblemStatement {
  locale: string;
  locales: string[];
  title: string;
  html: string;
  pdf: string | null;
  format: StatementFormat;
}

export interface ProblemStatistics {
  submitted: number;
  accepted: number;
}

export interface ProblemSummary {
  id: string;
  slug: string;
  title: string;
  level: Level | null;
  tags: string[];
  enabled: boolean;
  revision: number;
  updated_at: string | null;
  owner_id: string;
  locales: string[];
  titles: Record<string, string>;
  attempted: number | null;
  accepted: number | null;
  mine: Mark | null;
}

export interface ProblemTags {
  items: TagCount[];
}

export interface Problems {
  items: ProblemSummary[];
  page: PageInfo;
}

export interface ProcessNow {
  name: string;
  ok: boolean;
  why: string | null;
}

export interface ProfileEdit {
  display_name?: string;
  bio?: string;
  avatar?: string;
}

export interface Publication {
  enabled: boolean;
}

export interface QueueDepth {
  lane: Lane;
  band: Band;
  waiting: number;
  oldest_wait_ms: number;
}

export interface QueueStats {
  queues: QueueDepth[];
  running: number;
  stalled: number;
  dead: number;
  outbox_pending: number;
  outbox_oldest_wait?: number | null;
}

export interface Quota {
  in_flight: number;
  in_flight_limit: number;
  submitted_today: number;
  daily_quota: number;
  interval_ms: number;
  burst: number;
}

export interface Quotas {
  in_flight: number;
  daily_quota: number;
  interval_ms: number;
  burst: number;
  queue_high_water: number;
  queue_depth: number | null;
  live_workers: number | null;
}

export interface Ran {
  verdict: SandboxVerdict | null;
  stdout: string;
  stderr: string;
  truncated: boolean;
  time_ms: number;
  memory_bytes: number;
  exit_code: number;
  signal: number;
  compile_error: string | null;
  sample_verdict: Verdict | null;
}

export interface RankChange {
  user_id: string;
  before: BoardRow | null;
  after: BoardRow | null;
  reason: string;
}

export interface RankChanges {
  changes: RankChange[];
  submissions: number;
  judged: number;
}

export interface RankExplanation {
  row: BoardRow;
  submissions: CountedSubmission[];
  summary: string;
  gap: RankGap;
}

export interface RankGap {
  code: GapCode;
  by: number;
  rank: number;
  better_rank: number;
  shared_with: number;
}

export interface Rates {
  per_minute: number;
  wait_p50_ms: number | null;
  wait_p95_ms: number | null;
}

export interface RecomputeDone {
  submissions: number;
  changes: RankChange[];
  rows_changed: number;
  submissions_corrected: number;
}

export interface RefreshBody {
  refresh_token?: string | null;
}

export interface Registration {
  name: string;
  password: string;
  display_name?: string;
  email?: string | null;
  captcha?: string | null;
  invitation?: string | null;
  transport?: "bearer" | "cookie" | null;
}

export type RegistrationMode = "closed" | "invitation" | "mail" | "open";

export interface Rejudge {
  id: string;
  state: RejudgeState;
  started_by: string;
  started_at: string | null;
  reason: string;
  submissions: number;
}

export interface RejudgeCount {
  submissions: number;
  by_judge_hash: HashCount[];
}

export interface RejudgeEffect {
  old_submission_id: string;
  new_submission_id: string;
  old_verdict: Verdict | null;
  new_verdict: Verdict | null;
  old_score: number | null;
  new_score: number | null;
  fate: RejudgeFate;
}

export type RejudgeFate = "applied" | "dropped" | "open";

export interface RejudgeFilter {
  user_id?: string | null;
  problem_id?: string | null;
  contest_id?: string | null;
  language?: string | null;
  statuses?: Status[];
  verdicts?: Verdict[];
  submitted_from?: string | null;
  submitted_before?: string | null;
  problem_revisions?: number[];
}

export interface RejudgePreview {
  state: RejudgeState;
  selected: number;
  submissions: number;
  judged: number;
  failed: number;
  changed: number;
  applied: number;
  dropped: number;
  matrix: VerdictChange[];
  submission_id: string | null;
  filter: ShownFilter | null;
  contests: RejudgedContest[];
  items: RejudgeEffect[];
  page: PageInfo;
}

export interface RejudgeSelection {
  filter: RejudgeFilter;
}

export type RejudgeState = "applied" | "applying" | "discarded" | "discarding" | "open" | "opening";

export interface RejudgedContest {
  contest_id: string;
  submissions: number;
  title?: string | null;
}

export interface Rejudges {
  items: Rejudge[];
  page: PageInfo;
}

export interface RemovedInterval {
  interval: Interval;
  reason?: string;
}

export interface Reopening {
  reason?: string;
}

export interface Replay {
  ids?: string[];
  group?: string;
}

export interface ReplayDifference {
  what: string;
  before: string;
  after: string;
}

export interface Replayed {
  new_submission_id: string;
}

export interface ReplayedCase {
  name: string;
  same: boolean;
  before: ReplayedRun | null;
  after: ReplayedRun | null;
}

export interface ReplayedMany {
  replayed: number;
  refused: number;
}

export interface ReplayedRun {
  verdict: Verdict | null;
  time_ms: number;
  memory_bytes: number;
}

export interface ReplayedSubmission {
  submission_id: string;
  same: boolean;
  sentence: string;
  verdict_before: Verdict;
  verdict_after: Verdict;
  worker_before: string | null;
  worker_after: string;
  cases: ReplayedCase[];
  differences: ReplayDifference[];
}

export interface Result {
  verdict: Verdict;
  score: number;
  time_ms: number;
  memory_bytes: number;
  cases: CaseResult[];
  groups: GroupResult[];
  compile_output: string;
}

export type RevisionPart = "checker" | "extras" | "languages" | "limits" | "statement" | "tests";

export type Role = "admin" | "contestant" | "guest" | "judge" | "setter";

export interface RoleChange {
  role: GrantedRole;
}

export interface Ruling {
  id: string;
  by: string;
  at: string;
  action: string;
  reason: string;
  details: string;
}

export interface RulingPreview {
  rows_changed: number;
  changes: RankChange[];
}

export interface Rulings {
  items: Ruling[];
  page: PageInfo;
}

export interface RunningJob {
  submission_id: string;
  language: string;
  worker: string;
  since: string | null;
}

export interface Sample {
  input: string;
  output: string;
  note?: string;
}

export type SandboxVerdict = "MLE" | "OK" | "OLE" | "RE" | "SE" | "TLE";

export interface Schedule {
  starts_at: string;
  ends_at: string;
  freezes_at?: string | null;
  removed?: Interval[];
}

export interface Score {
  row: BoardRow;
}

export interface Scoreboard {
  items: BoardRow[];
  page: PageInfo;
  sequence: number;
  view: BoardView | null;
}

export type ScoringDialect = "kattis" | "domjudge";

export interface Session {
  user: User;
  tokens: Tokens | null;
}

export interface SessionItem {
  id: string;
  created_at: string;
  last_used_at: string;
  address: string;
  user_agent: string;
  current: boolean;
}

export interface SessionItems {
  items: SessionItem[];
}

export type SettableStatus = "active" | "suspended";

export interface ShownEntry {
  private?: boolean;
  during_contest?: boolean;
  virtual_allowed?: boolean;
  cancel_during_contest?: boolean;
  has_password: boolean;
}

export interface ShownFilter {
  user_id: string | null;
  problem_id: string | null;
  problem_revisions: number[];
  contest_id: string | null;
  language: string | null;
  statuses: Status[];
  verdicts: Verdict[];
  submitted_from: string | null;
  submitted_before: string | null;
}

export interface ShownProblem {
  problem_id: string;
  label: string;
  points: number | null;
  colour: string;
  title?: string;
  titles?: Record<string, string>;
  slug?: string;
}

export interface ShownSample {
  problem_id: string;
  contest_id?: string | null;
  number: number;
}

export interface SignUp {
  display_name: string;
  password?: string;
  virtual?: boolean;
}

export interface Site {
  name: string;
  version: string;
  time: string;
  registration: RegistrationMode;
  guest_accounts: boolean;
  demo: boolean;
  first_admin_hint: string | null;
  locales: string[];
  limits: SiteLimits;
  start_problem: string | null;
}

export interface SiteLimits {
  source_bytes: number;
  input_bytes: number;
  page_size: number;
}

export type Sort = "oldest" | "newest" | "title" | "level" | "solved";

export interface SourceOf {
  source: string;
  language: string;
}

export interface StartedRejudge {
  rejudge_id: string;
  submissions: number;
  state: RejudgeState;
}

export interface Statement {
  locale: string;
  title: string;
  markdown: string;
  format?: TextFormat;
  pdf?: string;
}

export type StatementFormat = "markdown" | "pdf" | "tex";

export type Status = "cancelled" | "dead" | "dispatched" | "finished" | "pending" | "running";

export interface StatusChange {
  status: SettableStatus;
  reason?: string;
}

export interface StoredObject {
  object: ObjectRef;
}

export interface Stores {
  postgres: boolean | null;
  redis: boolean | null;
  s3: boolean | null;
  outbox: number | null;
}

export interface Stuck {
  cause: Trouble;
  count: number;
  hint: string;
  names: string[];
  language?: string | null;
  needs?: string | null;
  lane?: Lane | null;
  band?: Band | null;
  oldest_wait_ms?: number | null;
}

export interface Submission {
  id: string;
  user_id: string;
  problem_id: string;
  problem_revision: number;
  contest_id: string | null;
  language: string;
  status: Status;
  attempt: number;
  result: Result | null;
  submitted_at: string | null;
  finished_at: string | null;
  origin_id: string;
  rejudge_of: string | null;
  is_head: boolean;
  source_bytes: number;
  reason: string | null;
  user_name?: string | null;
  user_display_name?: string | null;
  problem_slug?: string | null;
  problem_title?: string | null;
  contest_title?: string | null;
  contest_label?: string | null;
  judge_hash?: string | null;
  outdated?: boolean;
}

export interface SubmissionDetail {
  submission: Submission;
  attempts: Attempt[];
  shows_cases: boolean;
}

export interface SubmissionForm {
  file_names?: FileNames | null;
  included?: IncludedFiles[];
  answers?: boolean;
}

export interface Submissions {
  items: Submission[];
  page: PageInfo;
}

export interface Submitted {
  submission_id: string;
  repeated: boolean;
}

export interface TagCount {
  tag: string;
  count: number;
}

export type TextFormat = "markdown" | "tex";

export type TokenScope = "admin" | "manage" | "read" | "submit";

export interface Tokens {
  access_token: string;
  access_expires_at: string;
  refresh_token: string;
  refresh_expires_at: string;
}

export type Trouble = "dead_letters" | "isolation_degraded" | "no_able_worker" | "no_worker" | "no_worker_for_language" | "outbox_stuck" | "process_away" | "store_away" | "waits_long" | "worker_drained" | "worker_held_back" | "worker_lost" | "worker_slow";

export interface User {
  id: string;
  name: string;
  display_name: string;
  email: string | null;
  role: Role;
  status: AccountStatus;
  created_at: string | null;
  bio: string;
  avatar: string;
}

export interface UserImport {
  csv: string;
  dry_run?: boolean;
  contest_id?: string | null;
}

export interface UserStatistics {
  passed: number;
  days: DayCount[];
}

export type Verdict = "AC" | "CE" | "MLE" | "OLE" | "PE" | "RE" | "SE" | "TLE" | "WA";

export interface VerdictChange {
  old: Verdict | null;
  new: Verdict;
  count: number;
}

export interface VerifyDone {
  ok: boolean;
  findings: VerifyFinding[];
  time_limit: VerifyTimeLimit | null;
}

export interface VerifyFinding {
  severity: VerifySeverity;
  about: string;
  message: string;
}

export type VerifyPart = "validators" | "answers" | "submissions" | "statement" | "strength";

export type VerifySeverity = "error" | "warning";

export interface VerifyTimeLimit {
  current_ms: number | null;
  suggested_ms: number;
  slowest_ms: number;
  slowest: string;
}

export interface Work {
  id: string;
  kind: string;
  state: WorkState;
  done: number;
  total: number;
  asked_by: string;
  asked_at: string;
  reason: string;
  finished_at: string | null;
  error: string | null;
}

export interface WorkDetail {
  id: string;
  kind: string;
  state: WorkState;
  done: number;
  total: number;
  asked_by: string;
  asked_at: string;
  reason: string;
  finished_at: string | null;
  error: string | null;
  result: RecomputeDone | null;
}

export interface WorkList {
  items: Work[];
  page: PageInfo;
}

export type WorkState = "done" | "failed" | "reading" | "refused" | "scoring" | "switching" | "waiting";

export interface Worker {
  name: string;
  version: string;
  started_at: string | null;
  seen_at: string | null;
  running: number;
  capacity: number;
  languages: string[];
  layers: string[];
  memory_mib?: number;
  speed_percent?: number;
  trouble?: string;
  held_back?: boolean;
  drained?: string;
}

export interface WorkerAttempt {
  submission_id: string;
  attempt: number;
  worker: string;
  language: string;
  started_at: string | null;
  ended_at: string | null;
  outcome: string | null;
  reason: string | null;
}

export interface WorkerAttempts {
  items: WorkerAttempt[];
  cut: boolean;
}

export interface WorkerNamed {
  name: string;
}

export interface WorkerNow {
  name: string;
  version: string;
  started_at: string | null;
  seen_at: string | null;
  running: number;
  capacity: number;
  languages: string[];
  layers: string[];
  memory_mib?: number;
  speed_percent?: number;
  trouble?: string;
  held_back?: boolean;
  drained?: string;
  jobs: RunningJob[];
}

export interface Workers {
  items: Worker[];
}

export interface Routes {
  "DELETE /api/admin/invitations/{invitation_id}": { path: { invitation_id: string }; answer: null };
  "DELETE /api/contests/{contest_id}": { path: { contest_id: string }; query: { version: number }; answer: null };
  "DELETE /api/contests/{contest_id}/participants/me": { path: { contest_id: string }; answer: null };
  "DELETE /api/contests/{contest_id}/participants/{user_id}": { path: { contest_id: string; user_id: string }; answer: null };
  "DELETE /api/problems/{problem}": { path: { problem: string }; query: { version: number }; answer: null };
  "DELETE /api/users/me/sessions/{session_id}": { path: { session_id: string }; answer: null };
  "DELETE /api/users/me/tokens/{token_id}": { path: { token_id: string }; answer: null };
  "DELETE /api/users/{user_id}": { path: { user_id: string }; answer: null };
  "GET /api/admin/attempts": { query: { minutes?: number }; answer: WorkerAttempts };
  "GET /api/admin/audit-log": { query: { cursor?: string; size?: number }; answer: AuditLog };
  "GET /api/admin/dead-letters": { query: { cursor?: string; group?: string; size?: number }; answer: DeadLetters };
  "GET /api/admin/dead-letters/groups": { answer: DeadLetterGroups };
  "GET /api/admin/events": { answer: Blob };
  "GET /api/admin/invitations": { answer: Invitations };
  "GET /api/admin/limits": { answer: DoorLimits };
  "GET /api/admin/now": { answer: Now };
  "GET /api/admin/queue": { answer: QueueStats };
  "GET /api/admin/quotas": { answer: Quotas };
  "GET /api/admin/rejudges": { query: { contest_id?: string; cursor?: string; size?: number }; answer: Rejudges };
  "GET /api/admin/rejudges/{rejudge_id}": { path: { rejudge_id: string }; query: { cursor?: string; size?: number }; answer: RejudgePreview };
  "GET /api/admin/workers": { answer: Workers };
  "GET /api/admin/workers/drained": { answer: Drains };
  "GET /api/contests": { query: { cursor?: string; mine?: boolean; phase?: Phase[]; search?: string; size?: number }; answer: Contests };
  "GET /api/contests/{contest_id}": { path: { contest_id: string }; answer: ContestDetail };
  "GET /api/contests/{contest_id}/clarifications": { path: { contest_id: string }; query: { cursor?: string; size?: number }; answer: Clarifications };
  "GET /api/contests/{contest_id}/events": { path: { contest_id: string }; query: { view?: BoardView }; answer: Blob };
  "GET /api/contests/{contest_id}/ignored": { path: { contest_id: string }; answer: LoggedSubmissions };
  "GET /api/contests/{contest_id}/participants": { path: { contest_id: string }; query: { cursor?: string; search?: string; size?: number }; answer: Participants };
  "GET /api/contests/{contest_id}/problems/{problem_id}/entry": { path: { contest_id: string; problem_id: string }; answer: EntryCheck };
  "GET /api/contests/{contest_id}/rejudges/{rejudge_id}/preview": { path: { contest_id: string; rejudge_id: string }; answer: RankChanges };
  "GET /api/contests/{contest_id}/rulings": { path: { contest_id: string }; query: { cursor?: string; size?: number }; answer: Rulings };
  "GET /api/contests/{contest_id}/scoreboard": { path: { contest_id: string }; query: { at?: string; cursor?: string; size?: number; view?: BoardView }; answer: Scoreboard };
  "GET /api/contests/{contest_id}/scoreboard/compact": { path: { contest_id: string }; query: { at?: string; view?: BoardView }; answer: CompactBoard };
  "GET /api/contests/{contest_id}/scoreboard/export": { path: { contest_id: string }; query: { at?: string; format?: FileFormat; view?: BoardView }; answer: Record<string, unknown> };
  "GET /api/contests/{contest_id}/scoreboard/{user_id}": { path: { contest_id: string; user_id: string }; answer: Score };
  "GET /api/contests/{contest_id}/scoreboard/{user_id}/explain": { path: { contest_id: string; user_id: string }; query: { at?: string }; answer: RankExplanation };
  "GET /api/contests/{contest_id}/undecided": { path: { contest_id: string }; answer: LoggedSubmissions };
  "GET /api/contests/{contest_id}/work": { path: { contest_id: string }; query: { cursor?: string; size?: number }; answer: WorkList };
  "GET /api/contests/{contest_id}/work/{work_id}": { path: { contest_id: string; work_id: string }; answer: WorkDetail };
  "GET /api/events": { query: { after?: number; contest?: string; submissions?: "mine" | null; view?: BoardView }; answer: Blob };
  "GET /api/health": { answer: Health };
  "GET /api/languages": { answer: Languages };
  "GET /api/problems": { query: { cursor?: string; id?: string[]; level?: Level; mine?: Mine; owner_id?: string; published?: boolean; search?: string; size?: number; sort?: Sort; tag?: string[] }; answer: Problems };
  "GET /api/problems/tags": { answer: ProblemTags };
  "GET /api/problems/{problem}": { path: { problem: string }; query: { contest_id?: string; revision?: number }; answer: Problem };
  "GET /api/problems/{problem}/assets/{name}": { path: { name: string; problem: string }; query: { contest_id?: string; inline?: boolean; revision?: number }; answer: Blob };
  "GET /api/problems/{problem}/cases/{number}/{file}": { path: { file: CaseFile; number: number; problem: string }; query: { revision?: number }; answer: Blob };
  "GET /api/problems/{problem}/export": { path: { problem: string }; query: { archive?: ArchiveFormat; format?: PackageFormat; revision?: number }; answer: Blob };
  "GET /api/problems/{problem}/judging": { path: { problem: string }; query: { revision?: number }; answer: ProblemJudging };
  "GET /api/problems/{problem}/revisions": { path: { problem: string }; answer: ProblemRevisions };
  "GET /api/problems/{problem}/statement": { path: { problem: string }; query: { contest_id?: string; locale?: string; revision?: number }; answer: ProblemStatement };
  "GET /api/problems/{problem}/statistics": { path: { problem: string }; answer: ProblemStatistics };
  "GET /api/site": { answer: Site };
  "GET /api/submissions": { query: { contest_id?: string; cursor?: string; language?: string; problem_id?: string; size?: number; status?: Status[]; submitted_before?: string; submitted_from?: string; user_id?: string; verdict?: Verdict[]; with_archived?: boolean }; answer: Submissions };
  "GET /api/submissions/events": { answer: Blob };
  "GET /api/submissions/quota": { answer: Quota };
  "GET /api/submissions/{submission_id}": { path: { submission_id: string }; answer: SubmissionDetail };
  "GET /api/submissions/{submission_id}/attempts/{attempt}/cases/{case_number}/{log}": { path: { attempt: number; case_number: number; log: string; submission_id: string }; answer: Blob };
  "GET /api/submissions/{submission_id}/attempts/{attempt}/compile.log": { path: { attempt: number; submission_id: string }; answer: Blob };
  "GET /api/submissions/{submission_id}/attempts/{attempt}/manifest.json": { path: { attempt: number; submission_id: string }; answer: Blob };
  "GET /api/submissions/{submission_id}/events": { path: { submission_id: string }; answer: Blob };
  "GET /api/submissions/{submission_id}/explain": { path: { submission_id: string }; answer: Explanation };
  "GET /api/submissions/{submission_id}/source": { path: { submission_id: string }; answer: SourceOf };
  "GET /api/users": { query: { cursor?: string; id?: string[]; role?: GrantedRole; search?: string; size?: number; status?: AccountStatus }; answer: unknown };
  "GET /api/users/by-name/{name}": { path: { name: string }; answer: User };
  "GET /api/users/me": { answer: User };
  "GET /api/users/me/sessions": { answer: SessionItems };
  "GET /api/users/me/tokens": { answer: ApiTokens };
  "GET /api/users/{user_id}": { path: { user_id: string }; answer: User };
  "GET /api/users/{user_id}/audit-log": { path: { user_id: string }; query: { cursor?: string; size?: number }; answer: AuditLog };
  "GET /api/users/{user_id}/best/{problem_id}": { path: { problem_id: string; user_id: string }; answer: BestSubmission };
  "GET /api/users/{user_id}/statistics": { path: { user_id: string }; answer: UserStatistics };
  "PATCH /api/contests/{contest_id}/participants/{user_id}": { path: { contest_id: string; user_id: string }; body: ParticipantEdit; answer: Participant };
  "PATCH /api/problems/{problem}": { path: { problem: string }; body: ListingEdit; answer: Problem };
  "PATCH /api/users/me": { body: ProfileEdit; answer: User };
  "PATCH /api/users/{user_id}": { path: { user_id: string }; body: ProfileEdit; answer: User };
  "POST /api/admin/dead-letters/replay": { body: Replay; answer: ReplayedMany };
  "POST /api/admin/dead-letters/{submission_id}/replay": { path: { submission_id: string }; answer: Replayed };
  "POST /api/admin/invitations": { body: NewInvitation; answer: Invitation };
  "POST /api/admin/rejudges": { body: NewRejudge; answer: StartedRejudge };
  "POST /api/admin/rejudges/count": { body: RejudgeSelection; answer: RejudgeCount };
  "POST /api/admin/rejudges/{rejudge_id}/apply": { path: { rejudge_id: string }; answer: AppliedRejudge };
  "POST /api/admin/rejudges/{rejudge_id}/discard": { path: { rejudge_id: string }; answer: DiscardedRejudge };
  "POST /api/admin/workers/drain": { body: NewDrain; answer: Drain };
  "POST /api/admin/workers/resume": { body: WorkerNamed; answer: null };
  "POST /api/auth/captchas": { body: CaptchaRequest; answer: CaptchaSent };
  "POST /api/auth/guest": { answer: Session };
  "POST /api/auth/login": { body: Login; answer: Session };
  "POST /api/auth/logout": { body: LogoutBody | null; answer: null };
  "POST /api/auth/password": { body: PasswordChange; answer: null };
  "POST /api/auth/refresh": { body: RefreshBody | null; answer: Session };
  "POST /api/auth/register": { body: Registration; answer: User | Session };
  "POST /api/contests": { body: ContestDraft; answer: Contest };
  "POST /api/contests/{contest_id}/broadcasts": { path: { contest_id: string }; body: NewClarification; answer: Clarification };
  "POST /api/contests/{contest_id}/clarifications": { path: { contest_id: string }; body: NewClarification; answer: Clarification };
  "POST /api/contests/{contest_id}/extend": { path: { contest_id: string }; query: { dry_run?: boolean }; body: Extension; answer: Contest | RulingPreview };
  "POST /api/contests/{contest_id}/finalize": { path: { contest_id: string }; answer: Contest };
  "POST /api/contests/{contest_id}/participants": { path: { contest_id: string }; body: SignUp; answer: Participant };
  "POST /api/contests/{contest_id}/participants/import": { path: { contest_id: string }; body: ParticipantNames; answer: ImportedParticipants };
  "POST /api/contests/{contest_id}/recompute": { path: { contest_id: string }; query: { user_id?: string }; answer: Work };
  "POST /api/contests/{contest_id}/removed-intervals": { path: { contest_id: string }; query: { dry_run?: boolean }; body: RemovedInterval; answer: Contest | RulingPreview };
  "POST /api/contests/{contest_id}/reopen": { path: { contest_id: string }; body: Reopening; answer: Contest };
  "POST /api/contests/{contest_id}/restored-intervals": { path: { contest_id: string }; query: { dry_run?: boolean }; body: RemovedInterval; answer: Contest | RulingPreview };
  "POST /api/contests/{contest_id}/unfreeze": { path: { contest_id: string }; answer: Contest };
  "POST /api/judge-hosts/join": { body: HostCredential; answer: HostSettings };
  "POST /api/problems": { body: ProblemDraft; answer: Problem };
  "POST /api/problems/import": { query: { dialect?: ScoringDialect; dry_run?: boolean; format?: ArchiveFormat; memory_mib?: number; slug?: string; time_ms?: number; title?: string }; body: Blob; answer: ImportDone };
  "POST /api/problems/objects": { body: Blob; answer: StoredObject };
  "POST /api/problems/{problem}/import": { path: { problem: string }; query: { dialect?: ScoringDialect; dry_run?: boolean; format?: ArchiveFormat; memory_mib?: number; time_ms?: number; title?: string }; body: Blob; answer: ImportDone };
  "POST /api/problems/{problem}/verify": { path: { problem: string }; query: { case?: string[]; mutants?: number; part?: VerifyPart[]; revision?: number; submission?: string[]; time_limit?: number; warnings_as_errors?: boolean }; answer: VerifyDone };
  "POST /api/runs": { body: NewRun; answer: Ran };
  "POST /api/submissions": { body: NewSubmission; answer: Submitted };
  "POST /api/submissions/{submission_id}/cancel": { path: { submission_id: string }; answer: Submission };
  "POST /api/submissions/{submission_id}/replay": { path: { submission_id: string }; query: { worker?: string }; answer: ReplayedSubmission };
  "POST /api/users": { body: NewUser; answer: CreatedUser };
  "POST /api/users/import": { body: UserImport; answer: ImportedUsers };
  "POST /api/users/me/password": { body: PasswordReplacement; answer: Session };
  "POST /api/users/me/tokens": { body: NewApiToken; answer: CreatedApiToken };
  "POST /api/users/{user_id}/password": { path: { user_id: string }; answer: NewPasswordAnswer };
  "PUT /api/contests/{contest_id}": { path: { contest_id: string }; body: ContestEdit; answer: Contest };
  "PUT /api/contests/{contest_id}/clarifications/{clarification_id}/answer": { path: { clarification_id: string; contest_id: string }; body: Answer; answer: Clarification };
  "PUT /api/contests/{contest_id}/submissions/{submission_id}/ignored": { path: { contest_id: string; submission_id: string }; query: { dry_run?: boolean }; body: Ignoring; answer: RulingPreview };
  "PUT /api/problems/{problem}": { path: { problem: string }; body: ProblemEdit; answer: Problem };
  "PUT /api/problems/{problem}/published": { path: { problem: string }; body: Publication; answer: Problem };
  "PUT /api/users/{user_id}/role": { path: { user_id: string }; body: RoleChange; answer: User };
  "PUT /api/users/{user_id}/status": { path: { user_id: string }; body: StatusChange; answer: User };
}
