#!/bin/sh
# Run once by the image of PostgreSQL on an empty database: for each service a schema and a role that reaches no other.
set -eu
{
    printf 'REVOKE ALL ON DATABASE "%s" FROM PUBLIC; REVOKE ALL ON SCHEMA public FROM PUBLIC;\n' "$POSTGRES_DB"
    while read -r name password; do
        printf 'CREATE ROLE "deepoj_%s" LOGIN PASSWORD '"'%s'"';\n' "$name" "$password"
        printf 'GRANT CONNECT, TEMPORARY ON DATABASE "%s" TO "deepoj_%s";\n' "$POSTGRES_DB" "$name"
        printf 'CREATE SCHEMA "%s"; GRANT USAGE ON SCHEMA "%s" TO "deepoj_%s";\n' "$name" "$name" "$name"
        printf 'ALTER DEFAULT PRIVILEGES IN SCHEMA "%s" GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO "deepoj_%s";\n' \
            "$name" "$name"
        printf 'ALTER DEFAULT PRIVILEGES IN SCHEMA "%s" GRANT USAGE, SELECT ON SEQUENCES TO "deepoj_%s";\n' \
            "$name" "$name"
    done < "${ROLES_FILE:-/run/secrets/roles}"
} | psql --quiet --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB"
