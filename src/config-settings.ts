export type Setting = {
  flag?: string
  variable?: string
  /** The variable can also be given as a file, by `<variable>_FILE`. */
  isSecret?: true
  /** The default as docs/configure.md shows it, if the schema has none. */
  default?: string
  description: string
}

/** How each setting is given. docs/configure.md is generated from this table. */
export const settings = {
  databaseUrl: {
    variable: 'DATABASE_URL',
    isSecret: true,
    default: 'the embedded PostgreSQL',
    description: 'PostgreSQL database to use, such as `postgres://user:password@host/database`',
  },
  dataDirectory: {
    flag: '--data',
    variable: 'CATALOG_DATA',
    default: '`./data`',
    description:
      'Folder for the embedded PostgreSQL and the self-signed certificate. The flag takes precedence over `DATABASE_URL`',
  },
  poolSize: {
    variable: 'CATALOG_POOL_SIZE',
    default: '28, or 11 per worker plus 4 if that is more',
    description:
      'Maximum number of database connections, shared by all workers. Each worker needs at least 11',
  },
  statementTimeoutSeconds: {
    variable: 'CATALOG_STATEMENT_TIMEOUT_SECONDS',
    description: 'Time after which a query is canceled and the request returns 503 `query_timeout`',
  },
  media: {
    variable: 'CATALOG_MEDIA',
    default: '`media` in the data folder; none with `DATABASE_URL`',
    description:
      'Where to store media files: a folder, or `s3://bucket/prefix?endpoint=URL&region=NAME`. All services on one database need the same one',
  },
  mediaAccessKey: {
    variable: 'CATALOG_MEDIA_ACCESS_KEY',
    isSecret: true,
    default: 'none',
    description: 'Access key ID for an S3 store',
  },
  mediaSecretKey: {
    variable: 'CATALOG_MEDIA_SECRET_KEY',
    isSecret: true,
    default: 'none',
    description: 'Secret access key for an S3 store',
  },
  moveTo: {
    variable: 'CATALOG_MOVE_TO',
    isSecret: true,
    default: 'none',
    description: 'Database that `catalog move` copies the embedded database to',
  },
  host: {
    flag: '--host',
    variable: 'CATALOG_HOST',
    description:
      'Address to listen on. An address other than loopback requires `--base-url`, and TLS or `--behind-proxy`',
  },
  port: { flag: '--port', variable: 'PORT', description: 'Port to listen on. 0 picks a free port' },
  baseUrl: {
    flag: '--base-url',
    variable: 'CATALOG_BASE_URL',
    default: "the request's address",
    description: 'Address that links start with, such as `https://catalog.example`',
  },
  workers: { flag: '--workers', description: 'Number of worker threads that share the port (Linux only)' },
  cacheMegabytes: {
    variable: 'CATALOG_CACHE_MEGABYTES',
    description:
      'Memory in MiB for responses that the service sends again while nothing has changed, shared by all workers. 0 turns this off',
  },
  maxConnections: {
    variable: 'CATALOG_MAX_CONNECTIONS',
    description: 'Maximum number of client connections, shared by all workers',
  },
  tlsCert: {
    flag: '--tls-cert',
    variable: 'CATALOG_TLS_CERT',
    default: 'none',
    description: 'Certificate file with its chain, in PEM format',
  },
  tlsKey: {
    flag: '--tls-key',
    variable: 'CATALOG_TLS_KEY',
    default: 'none',
    description: 'File with the private key of the certificate, in PEM format, without a passphrase',
  },
  tls: {
    flag: '--tls',
    variable: 'CATALOG_TLS',
    default: 'none',
    description: '`self-signed` generates a certificate for `localhost` in the data folder',
  },
  behindProxy: {
    flag: '--behind-proxy',
    variable: 'CATALOG_BEHIND_PROXY',
    default: 'off',
    description: 'Set this if a proxy terminates TLS. The service trusts its `X-Forwarded-*` headers',
  },
  corsOrigins: {
    flag: '--cors-origin',
    variable: 'CATALOG_CORS_ORIGIN',
    default: 'none',
    description: 'Origins whose pages can call the API. Repeat the flag, or separate the values with commas',
  },
  webhookAllow: {
    flag: '--webhook-allow',
    variable: 'CATALOG_WEBHOOK_ALLOW',
    default: 'none',
    description:
      'Private networks that webhooks can reach, such as `10.1.0.0/16`. Repeat the flag, or separate the values with commas',
  },
  aiAllow: {
    flag: '--ai-allow',
    variable: 'CATALOG_AI_ALLOW',
    default: 'none',
    description:
      'Origins in your network that AI providers can use, such as `http://127.0.0.1:11434`. Repeat the flag, or separate the values with commas',
  },
  webhookKeys: {
    variable: 'CATALOG_WEBHOOK_KEY',
    isSecret: true,
    default: 'a generated key in the database',
    description:
      'Key that encrypts webhook secrets and the keys of AI providers: 32 bytes in base64. Separate several keys with commas. The first key encrypts, and all keys decrypt',
  },
  eventRetention: {
    flag: '--event-retention',
    variable: 'CATALOG_EVENT_RETENTION',
    default: 'unlimited',
    description: 'How long to retain events, such as `90d` or `720h`',
  },
  backupEvery: {
    flag: '--backup-every',
    variable: 'CATALOG_BACKUP_EVERY',
    default: 'none',
    description: 'Time between scheduled backups, such as `6h`, `30m` or `1d`',
  },
  backupKeep: {
    flag: '--backup-keep',
    variable: 'CATALOG_BACKUP_KEEP',
    description: 'Number of scheduled backups to retain',
  },
  backupDirectory: {
    flag: '--backup-dir',
    variable: 'CATALOG_BACKUP_DIR',
    default: '`backups` in the data folder',
    description: 'Folder for scheduled backups. Required with `DATABASE_URL`',
  },
  logLevel: {
    flag: '--log-level',
    variable: 'CATALOG_LOG_LEVEL',
    description: 'Least severe level to log: `fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
  },
  metricsToken: {
    variable: 'CATALOG_METRICS_TOKEN',
    isSecret: true,
    default: 'none',
    description: 'Token that lets other machines read `/metrics`. At least 16 characters',
  },
  authSecret: {
    variable: 'CATALOG_AUTH_SECRET',
    isSecret: true,
    default: 'a generated secret in the database',
    description:
      'Secret that signs session cookies and encrypts the secrets of authenticator apps. At least 32 characters',
  },
  oidcIssuer: {
    variable: 'CATALOG_OIDC_ISSUER',
    default: 'none',
    description:
      'OpenID provider for company accounts, such as `https://login.example/realms/shop`. Plain `http` is allowed only for loopback addresses',
  },
  oidcClientId: {
    variable: 'CATALOG_OIDC_CLIENT_ID',
    default: 'none',
    description: 'Client ID of this service at the OpenID provider',
  },
  oidcClientSecret: {
    variable: 'CATALOG_OIDC_CLIENT_SECRET',
    isSecret: true,
    default: 'none',
    description: 'Client secret of this service at the OpenID provider',
  },
  oidcScopes: {
    variable: 'CATALOG_OIDC_SCOPES',
    description:
      'Scopes to request from the OpenID provider. Some providers need an additional scope for groups',
  },
  oidcGroupsClaim: {
    variable: 'CATALOG_OIDC_GROUPS_CLAIM',
    description: 'Claim that lists the groups of a user',
  },
  oidcGroupsFile: {
    variable: 'CATALOG_OIDC_GROUPS_FILE',
    default: 'none',
    description: 'JSON file that maps groups to projects and roles',
  },
  localSignIn: {
    variable: 'CATALOG_LOCAL_SIGN_IN',
    description: '`off` allows only company accounts to sign in',
  },
  allowLocalOperator: {
    flag: '--allow-local-operator',
    default: 'off',
    description:
      'Lets operators sign in with a password or a passkey even if `CATALOG_LOCAL_SIGN_IN` is `off`',
  },
} satisfies Record<string, Setting>
