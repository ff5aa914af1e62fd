import type { Call } from '../invoker.ts'

export type RemoteAnswer =
  /** The function returned a payload. With `isError`, the function failed, and the payload describes its error. */
  | { readonly payload: string; readonly isError: boolean; readonly log?: string | undefined }
  /** The function was not called. `mayRetry` is set when the same call may succeed soon. */
  | { readonly refused: string; readonly mayRetry: boolean }
  /** There was no usable answer. The function may have run. */
  | { readonly lost: string }

/** The endpoint of a function that does not run on this platform. */
export interface RemoteEndpoint {
  /**
   * Makes one call. Never rejects.
   * @param timeLimit milliseconds until `signal` aborts the call
   */
  readonly call: (
    call: Call,
    limits: { readonly timeLimit: number; readonly signal: AbortSignal },
  ) => Promise<RemoteAnswer>
  /** Closes idle connections. */
  readonly close: () => void
}
