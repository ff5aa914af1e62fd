import type { Metadata } from '../../../context/engine-context.ts'
import { invalidParameter } from '../../../users/attributes.ts'

/** Returns the challenge that a client chose, and the parameters that it sent for this challenge. */
export function choiceOf(challenge: string | undefined, { PASSWORD, SRP_A, DEVICE_KEY }: Metadata) {
  return { challenge, password: PASSWORD, A: SRP_A, device: DEVICE_KEY }
}

/**
 * Returns the value of a parameter.
 * @throws UserPoolError for a missing parameter
 */
export function required(value: string | undefined, name: string): string {
  if (value === undefined) throw invalidParameter(`Missing required parameter ${name}`)
  return value
}
