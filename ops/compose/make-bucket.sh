#!/bin/sh
# Makes the bucket when it is missing.
set -eu
DEEPOJ_S3_ACCESS_KEY=$(cat /run/secrets/s3-access-key) DEEPOJ_S3_SECRET_KEY=$(cat /run/secrets/s3-secret-key) exec python -c '
from os import environ
from deepoj_kit.embedded.reach import reach_s3
from deepoj_kit.embedded.s3 import S3Access

names = ("DEEPOJ_S3_ENDPOINT", "DEEPOJ_S3_ACCESS_KEY", "DEEPOJ_S3_SECRET_KEY")
reach_s3(S3Access(*(environ[name] for name in names)), environ["DEEPOJ_S3_BUCKET"])
'
