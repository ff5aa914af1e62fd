import { poolSetup } from './pool-setup.ts'

/** The attributes of a user with this email address. */
export const email = (Value: string) => [{ Name: 'email', Value }]
/** A trigger that confirms every user who signs up, with the email address. */
export const confirmed = { PreSignUp_SignUp: () => ({ autoConfirmUser: true, autoVerifyEmail: true }) }

/** Creates a setup with one confirmed user. */
export async function signedUpSetup(options: Parameters<typeof poolSetup>[0] = {}) {
  const setup = await poolSetup({ ...options, answers: { ...confirmed, ...options.answers } })
  await setup.user()
  return setup
}
