import type { JobEnds } from './jobs/job.ts'
import { preparationKind } from './proposals/preparation.sql.ts'
import { preparationEnd } from './proposals/preparation-job.ts'
import { deliveryEnd, deliveryKind } from './webhooks/delivery-job.ts'

/** What an end or a retry of a job means for the object that it works on: in a service, and in `catalog jobs`. */
export const jobEnds: JobEnds = { [preparationKind]: preparationEnd, [deliveryKind]: deliveryEnd }
