import type { OutboundMailer } from '@signalbox/platform-runtime'
import fc from 'fast-check'
import {
  type Account,
  accountNamed,
  checkCode,
  endSignIns,
  type Grant,
  guessWrong,
  idOf,
  isLocked,
  locked,
  type Model,
  mayAgain,
  wrongPassword,
} from './testing/account-model.ts'
import { beginning, day, hour, passwords, type Step, step, weak } from './testing/account-steps.ts'
import { clientId as ClientId, poolSetup, poolId as UserPoolId } from './testing/pool-setup.ts'

/** A new engine replaces the old one after this many sequences, so that its tables stay small. */
const sequencesOfSetup = 250

/**
 * Plays random sequences of requests against an engine and against a plain model of accounts, with a manual clock.
 * @param runs the number of steps; each sequence has about ten
 * @throws Error when a response or an account differs from the model
 */
export async function fuzz(runs: number, seed?: number): Promise<string> {
  let sequence = 0
  let done = 0
  let succeeded = 0
  let sent = ''
  const mailer: OutboundMailer = {
    ownAddress: 'no-reply@mail.example',
    async submit({ text }) {
      sent = /\d{6}/.exec(text)?.[0] ?? ''
      return true
    },
  }
  let setup = await poolSetup({ ...options, mailer })
  const sequences = fc.tuple(fc.nat({ max: 2 }), fc.array(step, { minLength: 4, maxLength: 24, size: 'max' }))
  const property = fc.asyncProperty(sequences, async ([signedIn, more]) => {
    if (++sequence % sequencesOfSetup === 0) {
      await setup[Symbol.asyncDispose]()
      setup = await poolSetup({ ...options, mailer })
    }
    const steps = [...[0, 1].slice(0, signedIn).flatMap(beginning), ...more]
    const model: Model = { accounts: [], tokens: [], counts: new Map(), wrong: new Map() }
    const names = [0, 1].map(each => `u${sequence}-${each}`)
    const emails = [0, 1].map(each => `e${sequence}-${each}@example.com`)
    for (const [at, each] of steps.entries()) {
      const { expected, actual } = await play(each, model, names, emails)
      done++
      if (expected === 'ok') succeeded++
      if (actual !== expected) throw new Error(`Step ${at + 1}, ${each.act}: ${actual}, expected ${expected}`)
    }
    await compare(model, names)
  })

  async function call(operation: string, input: object): Promise<{ said: string; answer: Answer }> {
    try {
      const answer = await setup.call(operation, input)
      // Waits for mail that the engine sends after its response.
      await setup.engine.settled()
      return { said: 'ok', answer }
    } catch (error) {
      const { type, message } = error as { type?: string; message: string }
      if (type === undefined) throw error
      return { said: `${type} ${message}`, answer: {} }
    }
  }

  /** Runs a step, and returns the expected and the actual result. */
  async function play(
    { act, user, byEmail, token: picked, password, email: wanted, isRight, wait }: Step,
    model: Model,
    names: readonly string[],
    emails: readonly string[],
  ): Promise<{ expected: string; actual: string }> {
    const now = setup.clock.now()
    const Username = names[user]!
    const account = accountNamed(model, Username)
    const email = emails[wanted]!
    const who = { ClientId, Username }
    const admin = { UserPoolId, Username }
    const Password = passwords[password]!
    const token = model.tokens[picked % Math.max(model.tokens.length, 1)]
    const AccessToken = token?.access ?? 'none'
    const owner =
      token !== undefined && !token.grant.isOver && token.accessEnds > now ? token.grant.account : undefined
    const isDeleted =
      token !== undefined && token.accessEnds > now && !model.accounts.includes(token.grant.account)
    /** The error for an access token that does not count. */
    const noOwner = isDeleted ? 'UserNotFoundException' : 'NotAuthorizedException'
    /** Leaves the error message out of the comparison, unless the expected result contains one. */
    const compared = (expected: string, { said }: { said: string }) => ({
      expected,
      actual: expected.includes(' ') || said === 'ok' ? said : said.split(' ')[0]!,
    })
    const codeOf = (of: Account | undefined, purpose: keyof Account['codes']) => {
      const value = of?.codes[purpose]?.value ?? '123456'
      return isRight ? value : String((Number(value) + 1) % 1_000_000).padStart(6, '0')
    }

    switch (act) {
      case 'sign up': {
        const UserAttributes = [{ Name: 'email', Value: email }]
        const result = await call('SignUp', { ...who, Password, UserAttributes })
        if (password === weak) return compared('InvalidPasswordException', result)
        if (account !== undefined) return compared('UsernameExistsException', result)
        model.accounts.push({
          name: Username,
          status: 'UNCONFIRMED',
          password,
          email,
          verified: false,
          enabled: true,
          codes: { 'sign-up': { value: sent, to: email, ends: now + day } },
        })
        return compared('ok', result)
      }
      case 'confirm': {
        const ConfirmationCode = codeOf(account, 'sign-up')
        const result = await call('ConfirmSignUp', { ...who, ConfirmationCode })
        if (account?.status !== 'UNCONFIRMED') {
          const key = `try sign-up ${account === undefined ? Username : idOf(account)}`
          const hidden = mayAgain(model, key, 15, now) ? 'CodeMismatchException' : 'LimitExceededException'
          return compared(hidden, result)
        }
        const expected = checkCode(model, account, 'sign-up', isRight, 15, now)
        if (expected === 'ok') {
          Object.assign(account, { status: 'CONFIRMED', verified: true })
          account.codes['sign-up'] = undefined
        }
        return compared(expected, result)
      }
      case 'resend': {
        const result = await call('ResendConfirmationCode', who)
        const key = `resend ${account === undefined ? Username : idOf(account)}`
        if (!mayAgain(model, key, 5, now)) return compared('LimitExceededException', result)
        if (account?.status !== 'UNCONFIRMED') return compared('ok', result)
        account.codes['sign-up'] = { value: sent, to: account.email, ends: now + day }
        return compared('ok', result)
      }
      case 'guess often': {
        let last = compared('ok', { said: 'ok' })
        for (let times = 0; times < 5 && last.expected === last.actual; times++)
          last = await signIn(Username, 'Never-9ine')
        return last
      }
      case 'sign in':
        return signIn(byEmail ? email : Username, Password)
      case 'sign in by SRP': {
        const signInName = byEmail ? email : Username
        const { respond } = await setup.srp(signInName, Password)
        return signedIn(signInName, await attempt(respond))
      }
      case 'get user':
        return compared(owner === undefined ? noOwner : 'ok', await call('GetUser', { AccessToken }))
      case 'refresh': {
        if (token === undefined) return compared('ok', { said: 'ok' })
        const result = await call('GetTokensFromRefreshToken', { ClientId, RefreshToken: token.refresh })
        const { grant } = token
        if (grant.isOver || grant.ends <= now) return compared('NotAuthorizedException', result)
        if (token.isRotated) {
          grant.isOver = true
          return compared('RefreshTokenReuseException', result)
        }
        token.isRotated = true
        keep(grant, result.answer)
        return compared('ok', result)
      }
      case 'sign out everywhere': {
        const result = await call('GlobalSignOut', { AccessToken })
        if (owner === undefined) return compared(noOwner, result)
        endSignIns(model, owner)
        return compared('ok', result)
      }
      case 'revoke': {
        const result = await call('RevokeToken', { ClientId, Token: token?.refresh ?? 'none' })
        if (token !== undefined) token.grant.isOver = true
        return compared('ok', result)
      }
      case 'change password': {
        const PreviousPassword = isRight && owner !== undefined ? passwords[owner.password] : 'Never-9ine'
        const result = await call('ChangePassword', {
          AccessToken,
          PreviousPassword,
          ProposedPassword: Password,
        })
        if (owner === undefined) return compared(noOwner, result)
        if (!mayAgain(model, `change ${idOf(owner)}`, 5, now))
          return compared('LimitExceededException', result)
        if (password === weak) return compared('InvalidPasswordException', result)
        if (isLocked(model, owner, now)) return compared(locked, result)
        if (!isRight) {
          guessWrong(model, owner, now)
          return compared(wrongPassword, result)
        }
        model.wrong.delete(owner)
        owner.password = password
        return compared('ok', result)
      }
      case 'forgot password': {
        sent = ''
        const result = await call('ForgotPassword', who)
        const key = `forgot ${account === undefined ? Username : idOf(account)}`
        if (!mayAgain(model, key, 5, now)) return compared('LimitExceededException', result)
        if (account?.enabled && account.verified)
          account.codes.password = { value: sent, to: account.email, ends: now + hour }
        else if (sent !== '') return compared('no mail', { said: 'a mail' })
        return compared('ok', result)
      }
      case 'replace password': {
        const ConfirmationCode = codeOf(account, 'password')
        const result = await call('ConfirmForgotPassword', { ...who, ConfirmationCode, Password })
        if (password === weak) return compared('InvalidPasswordException', result)
        if (account === undefined)
          return compared(
            mayAgain(model, `try password ${Username}`, 10, now)
              ? 'CodeMismatchException'
              : 'LimitExceededException',
            result,
          )
        const expected = checkCode(model, account, 'password', isRight, 10, now)
        if (expected === 'ok') {
          Object.assign(account, { status: 'CONFIRMED', password, verified: true })
          account.codes.password = undefined
          endSignIns(model, account)
        }
        return compared(expected, result)
      }
      case 'change e-mail': {
        const UserAttributes = [{ Name: 'email', Value: email }]
        const result = await call('UpdateUserAttributes', { AccessToken, UserAttributes })
        if (owner === undefined) return compared(noOwner, result)
        if (owner.email !== email) {
          Object.assign(owner, { email, verified: false })
          owner.codes.email = { value: sent, to: email, ends: now + day }
        }
        return compared('ok', result)
      }
      case 'verify e-mail': {
        const input = { AccessToken, AttributeName: 'email', Code: codeOf(owner, 'email') }
        const result = await call('VerifyUserAttribute', input)
        if (owner === undefined) return compared(noOwner, result)
        const expected = checkCode(model, owner, 'email', isRight, 15, now)
        if (expected === 'ok') {
          owner.verified = true
          owner.codes.email = undefined
        }
        return compared(expected, result)
      }
      case 'disable':
      case 'enable': {
        const result = await call(act === 'enable' ? 'AdminEnableUser' : 'AdminDisableUser', admin)
        if (account === undefined) return compared('UserNotFoundException', result)
        account.enabled = act === 'enable'
        if (!account.enabled) endSignIns(model, account)
        return compared('ok', result)
      }
      case 'delete': {
        const result = await call('DeleteUser', { AccessToken })
        if (owner === undefined) return compared(noOwner, result)
        endSignIns(model, owner)
        model.accounts = model.accounts.filter(each => each !== owner)
        return compared('ok', result)
      }
      case 'set password': {
        const result = await call('AdminSetUserPassword', { ...admin, Password, Permanent: true })
        if (password === weak) return compared('InvalidPasswordException', result)
        if (account === undefined) return compared('UserNotFoundException', result)
        Object.assign(account, { password, status: 'CONFIRMED' })
        return compared('ok', result)
      }
      case 'wait':
        await setup.clock.advance(wait)
        return compared('ok', { said: 'ok' })
      default:
        throw new Error(`There is no step ${act}`)
    }

    async function attempt(work: () => Promise<Answer>): Promise<{ said: string; answer: Answer }> {
      try {
        return { said: 'ok', answer: await work() }
      } catch (error) {
        const { type, message } = error as { type?: string; message: string }
        if (type === undefined) throw error
        return { said: `${type} ${message}`, answer: {} }
      }
    }

    async function signIn(signInName: string, secret: string) {
      const result = await attempt(() => setup.signIn(signInName, secret))
      return signedIn(signInName, result, secret)
    }

    function signedIn(
      signInName: string,
      result: { said: string; answer: Answer },
      secret: string = Password,
    ) {
      const found = accountNamed(model, signInName)
      const key = found ?? signInName
      if (isLocked(model, key, now)) return compared(locked, result)
      if (found === undefined || passwords[found.password] !== secret) {
        guessWrong(model, key, now)
        return compared(wrongPassword, result)
      }
      model.wrong.delete(key)
      if (!found.enabled) return compared('NotAuthorizedException User is disabled.', result)
      if (found.status === 'UNCONFIRMED') return compared('UserNotConfirmedException', result)
      keep({ account: found, ends: now + 30 * day, isOver: false }, result.answer)
      return compared('ok', result)
    }

    function keep(grant: Grant, answer: Answer): void {
      const { AccessToken: access = '', RefreshToken: refresh = '' } = answer.AuthenticationResult ?? {}
      model.tokens.push({ grant, access, accessEnds: now + hour, refresh, isRotated: false })
    }
  }

  async function compare(model: Model, names: readonly string[]): Promise<void> {
    for (const Username of names) {
      const { answer } = await call('AdminGetUser', { UserPoolId, Username })
      const account = model.accounts.find(({ name }) => name === Username)
      const attributes = new Map(answer.UserAttributes?.map(({ Name, Value }) => [Name, Value]))
      const found = [
        answer.UserStatus,
        answer.Enabled,
        attributes.get('email'),
        attributes.get('email_verified'),
      ]
      const expected =
        account === undefined
          ? [undefined, undefined, undefined, undefined]
          : [account.status, account.enabled, account.email, String(account.verified)]
      if (
        String(found[3] ?? 'false') !== String(expected[3] ?? 'false') ||
        `${found.slice(0, 3)}` !== `${expected.slice(0, 3)}`
      )
        throw new Error(`${Username} is ${found}, expected ${expected}`)
    }
  }

  try {
    await fc.assert(property, { numRuns: Math.ceil(runs / 10), ...(seed !== undefined && { seed }) })
  } finally {
    await setup[Symbol.asyncDispose]()
  }
  return `${sequence} sequences of ${done} steps, of which ${succeeded} succeeded, as the model says`
}

const options = {
  pool: { signIn: ['name', 'email'] },
  client: { refresh: { rotate: true } },
} as const

interface Answer {
  readonly AuthenticationResult?: { readonly AccessToken?: string; readonly RefreshToken?: string }
  readonly UserStatus?: string
  readonly Enabled?: boolean
  readonly UserAttributes?: readonly { readonly Name: string; readonly Value: string }[]
}
