import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createPlatform } from '@signalbox/platform'
import { signatureHeaders } from '@signalbox/platform-runtime/signature'

const region = 'eu-central-1'
const secretOf = (id: string) => `a long secret of ${id}`
const identity = (id: string, rights: object) => ({
  keys: [{ id, secret: secretOf(id) }],
  rights: { userPools: { administer: ['*'] }, ...rights },
})

let url = ''
let platform: ReturnType<typeof createPlatform>
beforeAll(async () => {
  const handler = (event: never) => event
  platform = createPlatform({
    functions: { work: { handler }, payroll: { handler } },
    mail: { port: 0, name: 'mail.example', domains: { 'office.example': { to: 'mailboxes' } } },
    userPools: {},
    userPoolListener: { port: 0 },
    control: { port: 0 },
    dataDir: ':memory:',
    access: {
      identities: {
        pools: identity('pools', {}),
        work: identity('work', { functions: { invoke: ['work'] } }),
        mail: identity('mail', { mail: { submit: ['staff@office.example'] } }),
        own: identity('own', { mail: { submit: ['no-reply@mail.example'] } }),
      },
    },
  } as never)
  url = (await platform.start()).find(({ source }) => source === 'user pools')!.url
})
afterAll(() => platform.stop())

interface Answer {
  readonly __type?: string
  readonly message?: string
  readonly UserPool?: { readonly Id: string }
}

/** Returns a function that calls an operation with the rights of an identity. */
function callerOf(accessKeyId: string) {
  return async (operation: string, input: object): Promise<Answer> => {
    const body = Buffer.from(JSON.stringify(input))
    const headers = { 'x-amz-target': `AWSCognitoIdentityProviderService.${operation}` }
    const signature = signatureHeaders(
      {
        method: 'POST',
        target: '/',
        headers: Object.entries({ host: new URL(url).host, ...headers }).flat(),
        body,
      },
      { accessKeyId, secretAccessKey: secretOf(accessKeyId) },
      { region, service: 'cognito-idp', now: Date.now() },
    )
    const answer = await fetch(url, { method: 'POST', headers: { ...headers, ...signature }, body })
    return (await answer.json()) as Answer
  }
}
const pools = callerOf('pools')
const work = callerOf('work')
const mail = callerOf('mail')
const own = callerOf('own')

const PoolName = 'made'
const made = { UserPool: { Id: expect.any(String) } }
const denied = (what: string) => ({
  __type: 'AccessDeniedException',
  message: expect.stringContaining(`on resource: ${what} because the identity has no right to`),
})

it('a right over user pools is no right to call functions', async () => {
  for (const LambdaConfig of [
    { PreSignUp: 'payroll' },
    { PreSignUp: 'arn:aws:lambda:eu-central-1:000000000000:function:payroll:live' },
    { PreTokenGenerationConfig: { LambdaArn: 'payroll', LambdaVersion: 'V2_0' } },
    { CustomEmailSender: { LambdaArn: 'payroll', LambdaVersion: 'V1_0' } },
    { PreSignUp: 'work', PostConfirmation: 'payroll' },
  ]) {
    expect(await pools('CreateUserPool', { PoolName, LambdaConfig })).toMatchObject({
      __type: 'AccessDeniedException',
    })
    expect(await work('CreateUserPool', { PoolName, LambdaConfig })).toMatchObject(denied('payroll'))
  }
  const { UserPool } = await work('CreateUserPool', { PoolName, LambdaConfig: { PreSignUp: 'work' } })
  const UserPoolId = UserPool!.Id
  const changed = { UserPoolId, LambdaConfig: { PreSignUp: 'payroll' } }
  expect(await work('UpdateUserPool', changed)).toMatchObject(denied('payroll'))
  expect(await pools('UpdateUserPool', { UserPoolId })).toEqual({})
})

it('a right over user pools is no right to send mail from any sender', async () => {
  const from = (From: string) => ({ PoolName, EmailConfiguration: { From } })
  expect(await pools('CreateUserPool', from('CEO <ceo@office.example>'))).toMatchObject(
    denied('ceo@office.example'),
  )
  for (const hidden of ['staff@office.example <ceo@office.example>', 'a@b.example, staff@office.example'])
    expect(await mail('CreateUserPool', from(hidden))).toMatchObject({ __type: 'AccessDeniedException' })
  const { UserPool } = await mail('CreateUserPool', from('Staff <STAFF@office.example>'))
  const UserPoolId = UserPool!.Id
  // Without a sender, the texts of a pool are sent by the mail server's own address.
  const texts = { VerificationMessageTemplate: { EmailMessage: '<h1>Pay</h1> {####}' } }
  const invitation = { InviteMessageTemplate: { EmailMessage: '{username} {####}' } }
  for (const settings of [texts, { AdminCreateUserConfig: invitation }]) {
    for (const call of [pools, mail])
      expect(await call('CreateUserPool', { PoolName, ...settings })).toMatchObject(
        denied('no-reply@mail.example'),
      )
    expect(await own('CreateUserPool', { PoolName, ...settings })).toMatchObject(made)
  }
  expect(await pools('UpdateUserPool', { UserPoolId, ...texts })).toMatchObject(
    denied('no-reply@mail.example'),
  )
  const EmailConfiguration = { From: 'staff@office.example' }
  expect(await mail('UpdateUserPool', { UserPoolId, ...texts, EmailConfiguration })).toEqual({})
  const EmailMfaConfiguration = { Message: '<h1>Pay</h1> {####}' }
  const factors = { UserPoolId, MfaConfiguration: 'OPTIONAL', EmailMfaConfiguration }
  expect(await pools('SetUserPoolMfaConfig', factors)).toMatchObject(denied('no-reply@mail.example'))
  expect(await pools('CreateUserPool', { PoolName })).toMatchObject(made)
})

it('the sender of a pool is one address without line breaks', async () => {
  const open = createPlatform({
    userPools: {},
    userPoolListener: { port: 0 },
    control: { port: 0 },
    dataDir: ':memory:',
  } as never)
  const [address] = await open.start()
  const headers = { 'x-amz-target': 'AWSCognitoIdentityProviderService.CreateUserPool' }
  for (const From of ['x@y.example\r\nBcc: all@office.example', 'a@b.example, c@d.example', 'staff', '']) {
    const body = JSON.stringify({ PoolName: 'made', EmailConfiguration: { From } })
    const answer = await fetch(address!.url, { method: 'POST', headers, body })
    expect(await answer.json()).toMatchObject({ __type: 'InvalidParameterException' })
  }
  await open.stop()
})
