import type { IncomingMessage } from 'node:http'
import { inputs, type Operation } from './operations/inputs.ts'
import type { WireError } from './wire-error.ts'

/** A form in which clients write requests and read answers. */
export interface Protocol {
  /** Of its answers. */
  readonly contentType: string
  /** Bytes of a request at most: a full batch, every character of it escaped. */
  readonly bodyLimit: number
  /**
   * Reads a request. The input is not checked yet.
   * @param body reads the body, which need not be asked for
   * @throws ProtocolError when it is not a request of this protocol
   */
  readonly read: (request: IncomingMessage, body: () => Promise<Uint8Array>) => Promise<Call>
  /** What an operation answers, as text. */
  readonly result: (operation: Operation, answer: object, requestId: string) => string
  /** An error as text. */
  readonly error: (error: WireError, requestId: string) => string
}

/** What a client asks for. */
export interface Call {
  readonly operation: Operation
  readonly input: object
}

/** Whether an error is the client's fault or the service's. */
export function faultOf({ status }: WireError): 'Sender' | 'Receiver' {
  return status < 500 ? 'Sender' : 'Receiver'
}

/** Whether there is an operation of this name. */
export function isOperation(name: string): name is Operation {
  return Object.hasOwn(inputs, name)
}
