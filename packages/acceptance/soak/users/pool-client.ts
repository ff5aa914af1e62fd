export const poolId = 'eu-central-1_Staff01'
export const clientId = 'web'

/** An error that the user pool service returned. */
interface ServiceError {
  readonly name: string
  readonly message: string
}

/** The service's answer: a result or an error. */
export type Answer = { readonly ok: { readonly [field: string]: unknown } } | { readonly error: ServiceError }

/**
 * Calls an operation, and reads the answer.
 * @throws TypeError if there is no answer because no process listens or because the platform was killed
 */
export async function callOperation(url: string, operation: string, input: object): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
    },
    body: JSON.stringify(input),
  })
  const said = (await response.json()) as { readonly [field: string]: unknown }
  if (response.ok) return { ok: said }
  return { error: { name: String(said.__type), message: String(said.message) } }
}

/**
 * Returns whether an error means that there was no answer. Compares only the error names, because jest tests have
 * their own global error classes.
 */
export function isConnectionError(error: unknown): boolean {
  return (
    (error as { name?: string }).name === 'TypeError' && (error as { cause?: unknown }).cause !== undefined
  )
}
