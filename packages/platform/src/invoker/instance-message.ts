import type { LogLine } from './invoker.ts'

/** What an instance is told when it starts, as its one argument. */
export interface InstanceOrders {
  readonly functionName: string
  /** A file URL. */
  readonly module: string
  readonly exportName: string
  /** Bytes of memory, of whatever kind, at which the instance ends itself. */
  readonly memoryLimit: number
}

/** An event on its way to an instance. */
export interface InstanceTask {
  readonly event: string
  readonly requestId: string
  readonly context: { readonly [name: string]: unknown } | undefined
  /** Milliseconds until it is killed. */
  readonly granted: number
}

/** What an instance says. */
export type InstanceMessage =
  | { readonly kind: 'ready' }
  /** The function could not be loaded. */
  | { readonly kind: 'unloadable'; readonly message: string }
  | { readonly kind: 'log'; readonly stream: LogLine['stream']; readonly text: string }
  | { readonly kind: 'answer'; readonly payload: string; readonly threw?: string }
  /** Nobody caught an error, which ends the instance. */
  | { readonly kind: 'dying'; readonly message: string }

/** The inherited descriptor that stays open for as long as the platform lives. */
export const lifeline = 4
