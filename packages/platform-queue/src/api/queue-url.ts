import { QueueStoreError } from '../store/queue-store-error.ts'

/** @param base the URL of the listener with the account */
export function queueUrl(base: string, queue: string): string {
  return `${base}/${queue}`
}

/**
 * Returns the name of the queue in a URL with any host name.
 * @throws QueueStoreError if the URL cannot be that of a queue
 */
export function queueAt(url: string): string {
  const usual = usualUrl.exec(url)
  if (usual !== null) return usual[1]!
  const path = URL.canParse(url) ? new URL(url).pathname : url
  const queue = /^(?:\/?\d+\/)?\/?([^/]+)$/.exec(path)?.[1]
  if (queue !== undefined) return queue
  throw new QueueStoreError('QUEUE_NOT_FOUND', 'The specified queue does not exist.')
}

/**
 * The usual form of queue URLs, which a listener returns. Every request has one or two URLs, and parsing them as URLs
 * takes longer.
 */
const usualUrl = /^https?:\/\/[a-z\d][a-z\d.-]*(?::\d{1,5})?\/\d+\/([\w-]+(?:\.fifo)?)$/
