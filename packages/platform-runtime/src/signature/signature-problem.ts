/** The reason why a signature is invalid. The names are those that AWS clients know, without `Exception`. */
export interface SignatureProblem {
  readonly problem:
    | 'MissingAuthenticationToken'
    | 'IncompleteSignature'
    | 'UnrecognizedClient'
    | 'InvalidSignature'
    | 'RequestExpired'
  readonly message: string
  /** Set when the signature was made with a wrong secret, because the client may be guessing secrets. */
  readonly isWrongSecret?: true
}

export function incomplete(message: string): SignatureProblem {
  return { problem: 'IncompleteSignature', message }
}

export function invalid(message: string): SignatureProblem {
  return { problem: 'InvalidSignature', message }
}
