import { OAuthError } from './oauth-error.ts'

/** The parameters of a request to an OAuth endpoint. */
export interface Parameters {
  /** Returns a parameter, or undefined if it is absent or empty (RFC 6749, 3.1). */
  readonly get: (name: string) => string | undefined
  /** Returns all values of a parameter that may be there several times. */
  readonly all: (name: string) => readonly string[]
  /**
   * Refuses parameters that occur more than once.
   * @throws OAuthError for a repeated parameter (RFC 6749, 3.1)
   */
  readonly refuseRepeated: (names: readonly string[]) => void
}

export function parameters(sent: URLSearchParams): Parameters {
  return {
    get: name => sent.get(name) || undefined,
    all: name => sent.getAll(name),
    refuseRepeated(names) {
      const repeated = names.find(name => sent.getAll(name).length > 1)
      if (repeated !== undefined)
        throw new OAuthError('invalid_request', `The parameter ${repeated} is there twice.`)
    },
  }
}

/** Returns the parts of a space-separated list, without duplicates. */
export function spaced(text: string | undefined): readonly string[] {
  return [...new Set((text ?? '').split(' ').filter(part => part !== ''))]
}
