import { QueueStoreError } from '../store/queue-store-error.ts'

/** @param base the URL of the listener, followed by the account id */
export function queueUrl(base: string, queue: string): string {
  return `${base}/${queue}`
}

/**
 * Returns the name of the queue in a URL with any host name.
 * @throws QueueStoreError if the URL does not name a queue
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
 * The form of the queue URLs that a listener returns. Requests contain one or two of them, and matching takes less time
 * than parsing them as URLs.
 */
const usualUrl = /^https?:\/\/[a-z\d][a-z\d.-]*(?::\d{1,5})?\/\d+\/([\w-]+(?:\.fifo)?)$/
