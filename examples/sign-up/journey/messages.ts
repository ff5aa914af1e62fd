// #region messages
import { message, type Routes } from '@signalbox/user-pool'

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
