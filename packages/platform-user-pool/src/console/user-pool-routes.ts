import { optional, refusals, route, wholeNumber } from '@signalbox/platform-runtime/console'
import * as t from 'io-ts'
import {
  ChallengeAnswer,
  PoolAccount,
  PoolAccountDetails,
  PoolChallenge,
  PoolMessage,
  PoolSignIn,
  PoolState,
  PoolUserAction,
  SignInToTry,
} from './user-pool-port.ts'

/** The routes of user pools in the console's API. */
export const userPoolRoutes = {
  pools: route('GET', '/pools', { returns: { 200: t.readonlyArray(PoolState) } }),
  users: route('GET', '/pools/{pool}/users', {
    query: t.partial({ search: t.string, after: t.string, last: wholeNumber }),
    isLogged: true,
    returns: {
      200: t.readonly(t.type({ users: t.readonlyArray(PoolAccount), after: optional(t.string) })),
      ...refusals,
    },
  }),
  addUser: route('POST', '/pools/{pool}/users', {
    body: t.intersection([
      t.type({ name: t.string, password: t.string }),
      t.partial({ attributes: t.record(t.string, t.string) }),
    ]),
    returns: { 204: null, ...refusals },
  }),
  user: route('GET', '/pools/{pool}/users/{name}', {
    isLogged: true,
    returns: { 200: PoolAccountDetails, ...refusals },
  }),
  changeUser: route('POST', '/pools/{pool}/users/{name}/actions', {
    body: t.type({ action: PoolUserAction }),
    returns: { 204: null, ...refusals },
  }),
  addToGroup: route('POST', '/pools/{pool}/users/{name}/groups', {
    body: t.type({ group: t.string }),
    returns: { 204: null, ...refusals },
  }),
  removeFromGroup: route('DELETE', '/pools/{pool}/users/{name}/groups/{group}', {
    returns: { 204: null, ...refusals },
  }),
  /** Lists the codes and messages of a pool, latest first. */
  poolMessages: route('GET', '/pools/{pool}/messages', {
    isLogged: true,
    returns: { 200: t.readonlyArray(PoolMessage), ...refusals },
  }),
  /** Lists the custom challenges of a pool that wait for their answers, latest first. */
  poolChallenges: route('GET', '/pools/{pool}/challenges', {
    isLogged: true,
    returns: { 200: t.readonlyArray(PoolChallenge), ...refusals },
  }),
  /** Signs a user in. The result has tokens, or a challenge for `answerChallenge`. */
  signIn: route('POST', '/pools/{pool}/sign-in', {
    body: SignInToTry,
    returns: { 200: PoolSignIn, ...refusals },
  }),
  answerChallenge: route('POST', '/pools/{pool}/sign-in/answers', {
    body: ChallengeAnswer,
    returns: { 200: PoolSignIn, ...refusals },
  }),
} as const
