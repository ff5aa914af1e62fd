export { type AwsEvent, awsEvent } from './aws-event.ts'
