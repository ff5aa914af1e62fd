import fc from 'fast-check'

export const second = 1000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour

export const passwords = ['Right-7even', 'Other-8ight', 'weak'] as const
export const weak = 2

/** A request from a client or an administrator. Its numbers select existing accounts, codes and tokens. */
export const step = fc.record({
  act: fc.constantFrom(
    ...['sign up', 'sign up', 'confirm', 'confirm', 'resend', 'sign in', 'sign in', 'sign in'],
    ...['sign in by SRP', 'get user', 'refresh', 'refresh', 'sign out everywhere', 'revoke'],
    ...['change password', 'forgot password', 'forgot password', 'replace password', 'replace password'],
    ...['change e-mail', 'change e-mail', 'verify e-mail', 'verify e-mail', 'disable', 'enable', 'delete'],
    ...['set password', 'wait', 'wait', 'guess often'],
  ),
  user: fc.nat({ max: 1 }),
  byEmail: fc.boolean(),
  token: fc.nat({ max: 5 }),
  password: fc.constantFrom(0, 0, 0, 1, 1, weak),
  email: fc.nat({ max: 1 }),
  isRight: fc.constantFrom(true, true, true, false),
  wait: fc.constantFrom(second, 2 * second, 16 * minute, 61 * minute, 25 * hour, 31 * day),
})

export type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** Returns the steps that sign a user in. */
export function beginning(user: number): readonly Step[] {
  const each = {
    user,
    byEmail: false,
    token: 0,
    password: 0,
    email: user,
    isRight: true,
    wait: second,
  } as const
  return [
    { ...each, act: 'sign up' },
    { ...each, act: 'confirm' },
    { ...each, act: 'sign in' },
  ]
}
