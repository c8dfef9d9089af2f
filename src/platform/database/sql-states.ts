/** The SQLSTATE codes that the service knows, by the names that PostgreSQL gives them. */
export const sqlStates = {
  foreignKeyViolation: '23503',
  uniqueViolation: '23505',
  readOnlyTransaction: '25006',
  invalidAuthorization: '28000',
  invalidPassword: '28P01',
  unknownDatabase: '3D000',
  serializationFailure: '40001',
  deadlockDetected: '40P01',
  insufficientPrivilege: '42501',
  diskFull: '53100',
  tooManyConnections: '53300',
  lockNotAvailable: '55P03',
  queryCanceled: '57014',
  cannotConnectNow: '57P03',
  /** Raised by the database function `hold_view_currencies`. */
  viewCurrencyChanged: 'VC001',
} as const

/** The prefixes of whole classes. */
export const sqlStateClasses = {
  connectionException: '08',
  invalidAuthorization: '28',
  insufficientResources: '53',
  operatorIntervention: '57P',
  systemError: '58',
  internalError: 'XX',
} as const
