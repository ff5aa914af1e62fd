export type { AwsEvent } from '../aws-names.ts'
export { awsEvent } from './aws-event.ts'
export { type SesEventOptions, sesEvent } from './ses-event.ts'
