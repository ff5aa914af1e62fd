import type { IncomingMessage } from 'node:http'
import { ProtocolError, type WireError } from '../../wire/wire-error.ts'
import { inputs, type Operation } from '../operations/inputs.ts'
import { faultOf, isOperation, type Protocol } from '../protocol.ts'
import { queryInput } from './query-input.ts'
import { queryParameters } from './query-parameters.ts'
import { element, xmlFields } from './xml.ts'
import { xmlText } from './xml-text.ts'

const namespace = 'http://queue.amazonaws.com/doc/2012-11-05/'
const formType = /^\s*application\/x-www-form-urlencoded\s*(;|$)/i

/**
 * The query protocol, which SQS clients used until 2023. A request has its parameters in a form or in the URL, and gets
 * a response in XML. The path can name the queue instead of the parameter `QueueUrl`.
 */
export const queryProtocol: Protocol = {
  contentType: 'text/xml',
  bodyLimit: 4 * 1024 * 1024,

  read(request, body) {
    const { url = '/', method } = request
    if (method === 'GET') refuseBrowser(request)
    const [path, search] = [url.split('?', 1)[0]!, url.includes('?') ? url.slice(url.indexOf('?') + 1) : '']
    const form = method === 'POST' && isForm(request) ? body : Buffer.alloc(0)
    const parameters = queryParameters(Buffer.from(search), form)
    const operation = parameters.children?.get('Action')?.value ?? ''
    if (operation === '' && method === 'GET')
      throw new ProtocolError('NoOperation', 'The request has no parameter Action.')
    if (!isOperation(operation) || (path !== '/' && ofService.includes(operation)))
      throw new ProtocolError(
        'UnknownOperation',
        `The action ${operation.slice(0, 80)} is not valid for this endpoint.`,
      )
    if (path !== '/' && !parameters.children!.has('QueueUrl'))
      parameters.children!.set('QueueUrl', { value: path })
    return { operation, input: queryInput(operation, inputs[operation], parameters) }
  },

  result: (operation, answer, requestId) =>
    xmlDocument(
      `${operation}Response`,
      element(`${operation}Result`, xmlFields(operation, answer)) +
        element('ResponseMetadata', element('RequestId', requestId)),
    ),

  error: (error, requestId) =>
    error.code === noOperation
      ? element(noOperation, '')
      : xmlDocument(
          'ErrorResponse',
          element(
            'Error',
            element('Type', faultOf(error)) +
              element('Code', xmlText(error.code)) +
              element('Message', xmlText(queryMessage(error))) +
              element('Detail', ''),
          ) + element('RequestId', requestId),
        ),
}

/** The operations that no queue has. They are refused at the URL of a queue. */
const ofService: readonly Operation[] = ['CreateQueue', 'ListQueues']

/** The code of the error for a GET without an operation. AWS answers it with one element, also to clients of JSON. */
export const noOperation = 'UnknownOperationException'

/** Returns the message of an error, which the query protocol words in its own way for a missing queue. */
export function queryMessage({ type, message }: WireError): string {
  return type === 'QueueDoesNotExist' ? message.replace(/\.$/, ' for this wsdl version.') : message
}

/** Returns whether a request uses the query protocol. */
export function isQueryRequest(request: IncomingMessage): boolean {
  const { method, headers, url = '' } = request
  if (headers['x-amz-target'] !== undefined) return false
  return method === 'GET' || (method === 'POST' && (isForm(request) || url.includes('?')))
}

function isForm({ headers }: IncomingMessage): boolean {
  return formType.test(headers['content-type'] ?? '')
}

/**
 * The headers that identify browsers. Every browser sends at least one of them with a GET, and SQS clients never send
 * any.
 */
const browserHeaders = ['sec-fetch-site', 'referer', 'accept-language']

/**
 * Refuses requests from browsers. A web page can make a browser GET any URL, for example as an image, and such requests
 * have no `Origin` header.
 * @throws ProtocolError for a request from a browser
 */
function refuseBrowser({ headers }: IncomingMessage): void {
  // Node's `fetch` sends `*`, but browsers never do.
  if (browserHeaders.some(name => (headers[name] ?? '*') !== '*'))
    throw new ProtocolError('Forbidden', 'Browsers may not use queues.')
}

function xmlDocument(name: string, xml: string): string {
  return `<?xml version="1.0"?><${name} xmlns="${namespace}">${xml}</${name}>`
}
