import * as t from 'io-ts'
import { judgeSignIn, type SignIn, signInsOf } from '../../../flows/sign-in/sign-in-history.ts'
import { fields, wholeNumber } from '../../wire/inputs.ts'
import { page } from '../../wire/page.ts'
import { seconds } from '../../wire/wire-user.ts'
import { accountOf } from '../accounts/admin-users.ts'
import { admin, type Operations } from '../operation.ts'

const who = { UserPoolId: t.string, Username: t.string }

/** Operations that list the sign-ins of a user, and that keep what an administrator says about one. */
export const authEventOperations: Operations = {
  AdminListUserAuthEvents: admin(
    fields(who, { MaxResults: wholeNumber(0, 60), NextToken: t.string }),
    async (engine, { MaxResults: Limit, NextToken, ...input }, sdk) => {
      const { user, caller } = await accountOf(engine, input, sdk)
      const all = await signInsOf(engine, caller.pool, user)
      const { items, next } = page(all, { Limit, NextToken }, ({ id }) => id)
      return { AuthEvents: items.map(wireSignIn), ...next }
    },
  ),

  AdminUpdateAuthEventFeedback: admin(
    fields({ ...who, EventId: t.string, FeedbackValue: t.keyof({ Valid: 0, Invalid: 0 }) }, {}),
    async (engine, { EventId, FeedbackValue, ...input }, sdk) => {
      const { user, caller } = await accountOf(engine, input, sdk)
      await judgeSignIn(engine, caller.pool, user, EventId, FeedbackValue)
      return {}
    },
  ),
}

/** Returns a sign-in as administrators see it. Its only risk is that it has locked the account: others are not computed. */
function wireSignIn({ id, at, response, factor, agent, address, isLocking, feedback }: SignIn): object {
  return {
    EventId: id,
    EventType: 'SignIn',
    CreationDate: seconds(at),
    EventResponse: response,
    ...(isLocking && { EventRisk: { RiskDecision: 'Block' } }),
    ...(factor !== undefined && {
      ChallengeResponses: [
        { ChallengeName: factor, ChallengeResponse: response === 'Fail' ? 'Failure' : 'Success' },
      ],
    }),
    EventContextData: { DeviceName: agent, ...(address !== undefined && { IpAddress: address }) },
    ...(feedback !== undefined && {
      EventFeedback: {
        FeedbackValue: feedback.value,
        Provider: 'Admin',
        FeedbackDate: seconds(feedback.at),
      },
    }),
  }
}
