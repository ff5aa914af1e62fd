import { warnOfName } from '@signalbox/core'
import type { QueueRecord } from '../contract/record.ts'

let isWarned = false

/**
 * Warns when code reads a name of a provider in a record that has it under its neutral name, such as `awsRegion`. A record
 * of SQS has the neutral `eventSource`, too. A comparison with `aws:sqs` cannot be seen, so the first read of the field
 * causes the warning.
 */
export function warnOfProviderNames(record: QueueRecord): void {
  warnOfName(record, 'cloudRegion', 'awsRegion', `Message ${record.messageId}`, 'record')
  warnOfName(
    record.attributes,
    'CloudTraceHeader',
    'AWSTraceHeader',
    `Message ${record.messageId}`,
    'record.attributes',
  )
  const { eventSource, eventSourceARN } = record
  if (isWarned || Object.isFrozen(record) || !eventSourceARN.startsWith('arn:aws:')) return
  Object.defineProperty(record, 'eventSource', {
    enumerable: true,
    configurable: true,
    get() {
      if (!isWarned) console.warn(`The eventSource of a record is '${eventSource}', where SQS has 'aws:sqs'.`)
      isWarned = true
      return eventSource
    },
    set: value => Object.defineProperty(record, 'eventSource', { value, writable: true }),
  })
}
