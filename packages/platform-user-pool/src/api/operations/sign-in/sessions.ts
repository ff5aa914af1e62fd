import * as t from 'io-ts'
import {
  originOf,
  revokeSession,
  sessionsOfUser,
  type TrackedSession,
} from '../../../flows/sign-in/tracked-sessions.ts'
import { invalidParameter } from '../../../users/attributes.ts'
import { fields } from '../../wire/inputs.ts'
import { seconds } from '../../wire/wire-user.ts'
import { accountOf } from '../accounts/admin-users.ts'
import { admin, type Operations, open } from '../operation.ts'

const token = { AccessToken: t.string }
const who = { UserPoolId: t.string, Username: t.string }
const session = { SessionId: t.string }
/** The codec for whether an operation also ends the sessions that belong to one. */
export const associated = { RevokeAssociatedSessions: t.keyof({ NONE: 0, LINKED: 0 }) }

/** Operations that list and revoke the sessions of a user. */
export const sessionOperations: Operations = {
  ListUserSessions: open(
    fields(token, { NextToken: t.string }),
    async (engine, { AccessToken, NextToken }, sdk) => {
      refuseToken(NextToken)
      const { user, grant, caller } = await engine.tokenCaller(AccessToken, sdk)
      return { Sessions: wireSessions(await sessionsOfUser(engine, caller.pool, user), grant) }
    },
  ),

  AdminListUserSessions: admin(fields(who, { NextToken: t.string }), async (engine, input, sdk) => {
    refuseToken(input.NextToken)
    const { user, caller } = await accountOf(engine, input, sdk)
    return { Sessions: wireSessions(await sessionsOfUser(engine, caller.pool, user)) }
  }),

  RevokeUserSession: open(
    fields({ ...token, ...session }, associated),
    async (engine, { AccessToken, SessionId, RevokeAssociatedSessions }, sdk) => {
      const { user, grant, caller } = await engine.tokenCaller(AccessToken, sdk)
      await revokeSession(engine, caller.pool, user, SessionId, RevokeAssociatedSessions === 'LINKED', grant)
      return {}
    },
  ),

  AdminRevokeUserSession: admin(
    fields({ ...who, ...session }, associated),
    async (engine, { SessionId, RevokeAssociatedSessions, ...input }, sdk) => {
      const { user, caller } = await accountOf(engine, input, sdk)
      await revokeSession(engine, caller.pool, user, SessionId, RevokeAssociatedSessions === 'LINKED')
      return {}
    },
  ),
}

/** Refuses a pagination token, because all sessions of a user are on one page. */
function refuseToken(token: string | undefined): void {
  if (token !== undefined) throw invalidParameter('NextToken is not valid.')
}

function wireSessions(all: readonly TrackedSession[], current?: string): readonly object[] {
  return all.map(each => {
    const origin = originOf(each, all)
    return {
      SessionId: each.id,
      SessionType: each.type,
      ClientId: each.client,
      CreateDate: seconds(each.created),
      LastActiveDate: seconds(each.active),
      DeviceType: each.agent,
      ...(each.address !== undefined && { LastIPAddress: each.address }),
      ...(origin !== undefined && { OriginSessionId: origin }),
      IsCurrentSession: each.type === 'TOKEN' && each.stored.id === current,
    }
  })
}
