import type { IncomingMessage, ServerResponse } from 'node:http'
import type { MemoryBudget } from '../listener/memory-budget.ts'
import type { Answer } from './answer.ts'
import type { Authentication } from './authentication.ts'

/** An API of a source at the control address. It authenticates its clients itself. */
export interface ControlApi {
  /** The first part of its paths, such as `messages`. */
  readonly name: string
  /** The environment variable in which functions find the URL of the control address as the endpoint of this API. */
  readonly endpointVariable?: string
  /** Whether the answer for unknown paths names this one. */
  readonly isListed?: boolean
  /** Answers a request for `/{name}` or below. Never rejects. */
  readonly answer: (request: ControlRequest) => Promise<Answer>
}

/** A request for an API, with what its answer needs. */
export interface ControlRequest extends Authentication {
  readonly request: IncomingMessage
  /** The holder of the memory of the request's body. */
  readonly response: ServerResponse
  readonly memory: MemoryBudget
}

/** Returns the API that a request is for. */
export function apiFor(apis: readonly ControlApi[], { url = '' }: IncomingMessage): ControlApi | undefined {
  const [, name] = /^\/([^/?#]+)/.exec(url) ?? []
  return apis.find(each => each.name === name)
}
