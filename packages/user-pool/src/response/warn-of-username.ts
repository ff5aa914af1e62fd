import type { TriggerEvent, TriggerResponse } from '../contract/index.ts'

/**
 * Warns when an invitation lacks the username placeholder. The contract requires only the code placeholder, but some
 * providers require both.
 */
export function warnOfUsername(
  { request: { usernameParameter } }: TriggerEvent<'CustomMessage_AdminCreateUser'>,
  response: TriggerResponse<'CustomMessage'>,
): void {
  if (typeof usernameParameter !== 'string') return
  for (const name of ['smsMessage', 'emailMessage'] as const) {
    const message = response[name]
    if (typeof message !== 'string' || message.includes(usernameParameter)) continue
    console.warn(
      `CustomMessage_AdminCreateUser: ${name} does not contain the usernameParameter ({username} in message()), which some providers demand.`,
    )
  }
}
