import { memoryStore, signalbox } from '@signalbox/core'
import {
  claims,
  customAuth,
  deny,
  message,
  once,
  oneTimeCode,
  type Routes,
  sameAnswer,
  userPool,
} from '@signalbox/user-pool'
import { decrypt, directory, newsletter, outbox } from './services.ts'

// #region sign-up
export const signUp = {
  PreSignUp: ({ request }) => {
    const { email } = request.userAttributes
    if (request.validationData.invitation !== 'spring') deny('You need an invitation')
    return { autoConfirmUser: email?.endsWith('@example.com'), autoVerifyEmail: false }
  },
} satisfies Routes
// #endregion sign-up

// #region messages
export const messages = {
  CustomMessage: message(
    {
      sms: 'Your code is {code}',
      email: { subject: 'Welcome, {name}', html: '<p>Hello {name}, your code is {code}</p>' },
    },
    ({ request }) => ({ name: request.userAttributes.given_name ?? 'stranger' }),
  ),
  CustomMessage_AdminCreateUser: message({ sms: 'You are {username}, and your password is {code}' }),
} satisfies Routes
// #endregion messages

// #region senders
export const senders = {
  CustomEmailSender: ({ request }) =>
    outbox.mail(request.userAttributes.email, `Your code is ${request.code}`),
  CustomEmailSender_AccountTakeOverNotification: ({ userName, request }) =>
    outbox.mail(`${userName}@example.com`, `Was that you, from ${request.userAttributes.IP_ADDRESS}?`),
  CustomSMSSender: ({ request }) => outbox.sms(request.userAttributes.phone_number, `Code: ${request.code}`),
} satisfies Routes
// #endregion senders

// #region confirmed
export const confirmed = {
  PostConfirmation_ConfirmSignUp: async ({ request }) => {
    await newsletter.add(request.userAttributes.email)
  },
} satisfies Routes
// #endregion confirmed

// #region migration
export const migration = {
  UserMigration_Authentication: ({ userName, request }) => {
    const known = directory.get(userName)
    if (!known || !sameAnswer(request.password, known.password)) deny('Wrong name or password')
    return { userAttributes: { email: known.email, email_verified: 'true' }, finalUserStatus: 'CONFIRMED' }
  },
  UserMigration_ForgotPassword: ({ userName }) => {
    const known = directory.get(userName) ?? deny('Unknown user')
    return { userAttributes: { email: known.email, email_verified: 'true' }, messageAction: 'SUPPRESS' }
  },
} satisfies Routes
// #endregion migration

// #region federation
export const federation = {
  InboundFederation: ({ request }) => {
    const { email, email_verified } = request.attributes.idToken
    // Some providers send a Boolean, others a text.
    const verified = email_verified === true || email_verified === 'true'
    if (typeof email !== 'string' || !verified) deny('Please verify your address there first')
    return { userAttributesToMap: { email, email_verified: 'true' } }
  },
} satisfies Routes
// #endregion federation

// #region sign-in
export const signIn = {
  PreAuthentication: ({ callerContext }) => {
    if (callerContext.clientId === 'retired') deny('Please update the app')
  },
  ...customAuth({
    challenges: [
      oneTimeCode({ send: (code, { request }) => outbox.mail(request.userAttributes.email, code) }),
    ],
    maxAttempts: 3,
  }),
} satisfies Routes
// #endregion sign-in

// #region tokens
export const tokens = {
  TokenGeneration: event =>
    claims()
      .set('tenant', event.userPoolId)
      .suppress('email')
      .groups(event.request.groupConfiguration.groupsToOverride ?? [])
      .for(event),
} satisfies Routes
// #endregion tokens

// #region signed-in
export const signedIn = {
  PostAuthentication: ({ userName, request }) => {
    if (request.newDeviceUsed) outbox.mail(`${userName}@example.com`, 'You signed in with a new device')
  },
} satisfies Routes
// #endregion signed-in

// #region journey
export const handler = signalbox(
  userPool(
    {
      ...signUp,
      ...messages,
      ...senders,
      ...confirmed,
      ...migration,
      ...federation,
      ...signIn,
      ...tokens,
      ...signedIn,
    },
    { decrypt },
  ),
)
// #endregion journey

// #region once
export const onceConfirmed = signalbox(userPool(confirmed)).use(
  // In production keyvStore(new Keyv(…)), or a store of your own database.
  once({ store: memoryStore(), triggers: ['PostConfirmation'] }),
)
// #endregion once
