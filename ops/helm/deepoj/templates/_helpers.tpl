{{- define "deepoj.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" }}{{ end -}}
{{- end -}}

{{- define "deepoj.secret" -}}
{{ .Values.secret.existing | default (include "deepoj.name" .) }}
{{- end -}}

{{/* What selects the pods of a role: (list $ role). */}}
{{- define "deepoj.selector" -}}
app.kubernetes.io/name: deepoj
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end -}}

{{- define "deepoj.labels" -}}
{{ include "deepoj.selector" . }}
app.kubernetes.io/version: {{ (index . 0).Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ (index . 0).Release.Service }}
helm.sh/chart: {{ (index . 0).Chart.Name }}-{{ (index . 0).Chart.Version }}
{{- end -}}

{{- define "deepoj.image" -}}
{{- $image := ternary (index . 0).Values.judgeImage (index . 0).Values.image (eq (index . 1) "judge") -}}
{{ $image.repository }}:{{ $image.tag | default (index . 0).Chart.AppVersion }}
{{- end -}}

{{- define "deepoj.grace" -}}
{{- $shutdown := (index . 0).Values.shutdown -}}
{{ ternary $shutdown.judgeGraceSeconds $shutdown.graceSeconds (eq (index . 1) "judge") }}
{{- end -}}

{{/* The environment of a role, and of its secrets the keys that it needs: (list $ role). */}}
{{- define "deepoj.env" -}}
{{- $ := index . 0 -}}
{{- $name := index . 1 -}}
{{- $all := $.Files.Get "roles.yaml" | fromYaml -}}
{{- $role := index $all.roles $name -}}
{{- $env := merge (dict) (index $.Values.roles $name).env $.Values.env -}}
{{- if ne $name "migrate" -}}
{{- $told := dict "DEEPOJ_ENV" $.Values.environment -}}
{{- $_ := set $told "DEEPOJ_SHUTDOWN_NOTICE" (printf "%vs" (ternary 0 $.Values.shutdown.noticeSeconds (eq $name "judge"))) -}}
{{- $_ := set $told "DEEPOJ_SHUTDOWN_GRACE" (printf "%ss" (include "deepoj.grace" .)) -}}
{{- if has "s3" $role.stores -}}
{{- $_ := set $told "DEEPOJ_S3_ENDPOINT" (required "s3.endpoint: where is the object store?" $.Values.s3.endpoint) -}}
{{- $_ := set $told "DEEPOJ_S3_BUCKET" $.Values.s3.bucket -}}
{{- end -}}
{{- if eq $name "bff" -}}
{{- if $.Values.ingress.enabled -}}
{{- $_ := set $told "DEEPOJ_BFF_PUBLIC_URL" (printf "%s://%s" (ternary "https" "http" (ne $.Values.ingress.tlsSecret "")) $.Values.ingress.host) -}}
{{- end -}}
{{- with $.Values.ingress.trustedProxies -}}
{{- $_ := set $told "DEEPOJ_BFF_TRUSTED_PROXIES" (join "," .) -}}
{{- end -}}
{{- end -}}
{{- $_ := set $told "DEEPOJ_TLS" $.Values.tls.mode -}}
{{- $env = merge $env $told $all.common $role.env -}}
{{- end -}}
{{- if $.Values.tls.existingSecret -}}
{{- $_ := set $env "DEEPOJ_TLS_CA" "/etc/deepoj/tls/ca.crt" -}}
{{- $_ := set $env "DEEPOJ_TLS_CERTIFICATE" "/etc/deepoj/tls/tls.crt" -}}
{{- $_ := set $env "DEEPOJ_TLS_KEY" "/etc/deepoj/tls/tls.key" -}}
{{- end -}}
{{- range $key, $value := $env }}
- name: {{ $key }}
  value: {{ $value | toString | replace "NAME-" (printf "%s-" (include "deepoj.name" $)) | quote }}
{{- end }}
{{- $secrets := merge (dict) ((index $.Values.roles $name).secrets | default dict) $role.secrets -}}
{{- if ne $name "migrate" -}}
{{- range $role.stores -}}{{- $secrets = merge $secrets (index $all.stores .) -}}{{- end -}}
{{- end -}}
{{- range $key, $value := $secrets }}
- name: {{ $key }}
  valueFrom: {secretKeyRef: {name: {{ include "deepoj.secret" $ }}, key: {{ $value }}}}
{{- end }}
{{- if eq $name "judge" }}
- name: DEEPOJ_JUDGEMENT_WORKER_NAME
  valueFrom: {fieldRef: {fieldPath: metadata.name}}
- name: DEEPOJ_JUDGEMENT_CORES
  valueFrom: {resourceFieldRef: {resource: limits.cpu}}
{{- end }}
{{- end -}}

{{- define "deepoj.probes" -}}
startupProbe:
  httpGet: {path: /readyz, port: ops}
  periodSeconds: 2
  # A judge looks at its compilers and precompiles headers first.
  failureThreshold: 150
readinessProbe:
  httpGet: {path: /readyz, port: ops}
  periodSeconds: 2
  timeoutSeconds: 3
  failureThreshold: 2
livenessProbe:
  httpGet: {path: /livez, port: ops}
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
{{- end -}}

{{- define "deepoj.spread" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: {{ (index . 0).Values.topologyKey }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "deepoj.selector" . | nindent 8 }}
    matchLabelKeys: [pod-template-hash]
{{- end -}}

{{/* Least privilege of everything but the judge. */}}
{{- define "deepoj.confined" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end -}}

{{- define "deepoj.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: {type: RuntimeDefault}
{{- end -}}

{{- define "deepoj.tlsMount" -}}
{{- if .Values.tls.existingSecret }}
- {name: tls, mountPath: /etc/deepoj/tls, readOnly: true}
{{- end }}
{{- end -}}

{{- define "deepoj.tlsVolume" -}}
{{- if .Values.tls.existingSecret }}
- name: tls
  secret: {secretName: {{ .Values.tls.existingSecret }}, defaultMode: 0440}
{{- end }}
{{- end -}}
