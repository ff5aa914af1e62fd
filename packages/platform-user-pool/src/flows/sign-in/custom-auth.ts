import { knownSource } from '@signalbox/user-pool/contract'
import type { ClientCaller, EngineContext, Metadata } from '../../context/engine-context.ts'
import { UserPoolError } from '../../user-pool-error.ts'
import { hasTrigger } from '../triggers/call-trigger.ts'
import { completeSignIn } from './complete-sign-in.ts'
import { type Consumption, consume, withAdded } from './consumption.ts'
import {
  answeringAloneEverywhere,
  type FoundSession,
  findSession,
  newSession,
  type Progress,
  type Round,
  usedSession,
} from './sessions.ts'
import type { SignInResult } from './sign-in-result.ts'
import { type Subject, subjectOf, subjectRequest, wrongPassword } from './subject.ts'

const sources = [
  'DefineAuthChallenge_Authentication',
  'CreateAuthChallenge_Authentication',
  'VerifyAuthChallengeResponse_Authentication',
] as const

/** Returns whether a client may use custom authentication, and whether the pool has all functions for it. */
export function hasCustomAuth({ pool, client }: ClientCaller): boolean {
  return client.flows.includes('custom') && sources.every(source => hasTrigger(pool, source))
}

/** The possible results of a custom authentication round, apart from tokens and failure. */
interface NextStep {
  /** Asks for the password after these rounds. */
  readonly password: (rounds: readonly Round[]) => SignInResult
}

/**
 * Starts a sign-in in which the pool's functions choose the challenges.
 * @param rounds empty, or the SRP rounds with which the client started
 * @throws UserPoolError when a function denies the request, fails or ends the sign-in
 */
export async function beginCustom(
  engine: EngineContext,
  caller: ClientCaller,
  subject: Subject,
  sentName: string,
  rounds: readonly Round[],
  step: NextStep | undefined,
): Promise<SignInResult> {
  for (const source of sources)
    if (!hasTrigger(caller.pool, source)) {
      const { trigger } = knownSource(source)!
      throw new UserPoolError(
        'InvalidUserPoolConfigurationException',
        `Custom auth lambda trigger is not configured for the user pool: ${trigger}.`,
      )
    }
  return customRound(engine, caller, subject, sentName, rounds, {}, {}, step)
}

/** Asks the pool's function for the next step, and performs that step. */
export async function customRound(
  engine: EngineContext,
  caller: ClientCaller,
  subject: Subject,
  sentName: string,
  rounds: readonly Round[],
  consumption: Consumption,
  clientMetadata: Metadata,
  step?: NextStep,
  progress: Progress = {},
): Promise<SignInResult> {
  const { callTrigger } = engine
  const { client } = caller
  const about = { ...subjectRequest(caller, subject), session: rounds, clientMetadata }
  const decided = await callTrigger(caller, 'DefineAuthChallenge_Authentication', {
    userName: subject.name,
    request: about,
  })
  if (decided?.issueTokens && subject.user !== undefined)
    return completeSignIn(engine, caller, subject.user, sentName, consumption, clientMetadata, progress)
  const challengeName = decided?.challengeName
  if (challengeName === 'PASSWORD_VERIFIER' && step !== undefined) return step.password(rounds)
  if (challengeName !== 'CUSTOM_CHALLENGE') {
    await consume(engine, caller, consumption)
    if (challengeName)
      throw new UserPoolError('InvalidLambdaResponseException', 'Unrecognizable lambda output')
    throw wrongPassword()
  }
  const challenge = await callTrigger(caller, 'CreateAuthChallenge_Authentication', {
    userName: subject.name,
    request: { ...about, challengeName },
  })
  const session = newSession(engine, caller, {
    challenge: 'CUSTOM_CHALLENGE',
    client: client.id,
    user: subject.user?.id,
    sentName,
    rounds,
    privateParameters: challenge?.privateChallengeParameters ?? {},
    metadata: challenge?.challengeMetadata ?? null,
    progress: { ...progress, rounds: undefined },
  })
  await consume(engine, caller, withAdded(consumption, session.credential))
  return {
    challenge: 'CUSTOM_CHALLENGE',
    parameters: { ...challenge?.publicChallengeParameters, USERNAME: subject.recognition.owner },
    session: session.handle,
  }
}

/**
 * Checks the answer to a custom challenge.
 * @throws UserPoolError for a used session, and when a function denies the request, fails or ends the sign-in
 */
export async function answerCustom(
  engine: EngineContext,
  caller: ClientCaller,
  handle: string | undefined,
  challengeAnswer: string,
  clientMetadata: Metadata,
): Promise<SignInResult> {
  const found = await findSession(engine, caller, 'CUSTOM_CHALLENGE', handle)
  // The functions, and not a count in the store, decide how many guesses there are. So no two may be checked at once.
  return answeringAloneEverywhere(engine, caller, found, () =>
    checkAnswer(engine, caller, found, challengeAnswer, clientMetadata),
  )
}

async function checkAnswer(
  engine: EngineContext,
  caller: ClientCaller,
  { state, use }: FoundSession<'CUSTOM_CHALLENGE'>,
  challengeAnswer: string,
  clientMetadata: Metadata,
): Promise<SignInResult> {
  const subject = await subjectOf(engine, caller, state.sentName)
  // The name, such as a verified address, might have moved to another account in the meantime. The user of that account
  // has proved nothing.
  if (subject.user?.id !== state.user) throw usedSession()
  const verified = await engine.callTrigger(caller, 'VerifyAuthChallengeResponse_Authentication', {
    userName: subject.name,
    request: {
      ...subjectRequest(caller, subject),
      privateChallengeParameters: state.privateParameters,
      challengeAnswer,
      clientMetadata,
    },
  })
  const round: Round = {
    challengeName: 'CUSTOM_CHALLENGE',
    challengeResult: verified?.answerCorrect === true,
    challengeMetadata: state.metadata,
  }
  const rounds = [...state.rounds, round]
  const { sentName, progress } = state
  return customRound(
    engine,
    caller,
    subject,
    sentName,
    rounds,
    { uses: [use] },
    clientMetadata,
    undefined,
    progress,
  )
}
