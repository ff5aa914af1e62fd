import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { signalbox as handlerOf } from '@signalbox/core'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { customAuth, userPool } from '@signalbox/user-pool'
import { listeningPool } from '../testing/listening-pool.ts'
import { signalboxAnswered } from '../testing/pool-program.ts'

it('the command `sign-in` signs in like a client, and handles every challenge', async () => {
  using folder = temporaryFolder()
  const clients = {
    plain: { id: 'plain', flows: ['password', 'refresh'] },
    srp: { id: 'srp', secret: true },
    own: { id: 'own', flows: ['custom'] },
  }
  const pool = { id: 'eu-central-1_Staff01', clients }
  const config = `export default ${JSON.stringify({ userPools: { staff: pool }, dataDir: 'data' })}`
  writeFileSync(join(folder.path, 'config.mjs'), config)
  const run = (answers: string[], ...args: string[]) =>
    signalboxAnswered(folder.path, answers, 'sign-in', 'staff', 'ann', ...args, '--config', 'config.mjs')
  await using setup = await listeningPool(
    {
      clients: clients as never,
      answers: {
        DefineAuthChallenge_Authentication: ({ request }) =>
          (request.session as readonly object[]).length === 0
            ? { challengeName: 'CUSTOM_CHALLENGE', issueTokens: false, failAuthentication: false }
            : { issueTokens: true, failAuthentication: false },
        CreateAuthChallenge_Authentication: () => ({
          publicChallengeParameters: { question: 'Who?' },
          privateChallengeParameters: {},
        }),
        VerifyAuthChallengeResponse_Authentication: () => ({ answerCorrect: true }),
      },
    },
    join(folder.path, 'data'),
  )
  const invite = { UserPoolId: pool.id, Username: 'ann', MessageAction: 'SUPPRESS' }
  await fetch(setup.url, {
    method: 'POST',
    headers: { 'x-amz-target': 'AWSCognitoIdentityProviderService.AdminCreateUser' },
    body: JSON.stringify({ ...invite, TemporaryPassword: 'First-7even' }),
  })
  const first = await run(['First-7even', 'Right-7even'], '--json')
  expect(first).toMatchObject({
    exitCode: 0,
    printedErrors: expect.stringMatching(/^Choose a new password\.$/m),
  })
  expect(Object.keys(JSON.parse(first.printed))).toEqual(['idToken', 'accessToken', 'refreshToken'])
  expect(first.printed + first.printedErrors).not.toContain('7even')
  const bySrp = await run(['Right-7even'], '--client', 'srp', '--decode')
  expect(JSON.parse(bySrp.printed)).toMatchObject({ id: { aud: 'srp' }, access: { username: 'ann' } })
  const custom = await run(['me'], '--client', 'own', '--custom')
  expect(custom.printed).toMatch(/^idToken {2}eyJ.+\naccessToken {2}eyJ/)
  expect(custom.printedErrors).toContain('"question":"Who?"')
  const onlyFlow = await run(['me'], '--client', 'own', '--decode')
  expect(JSON.parse(onlyFlow.printed)).toMatchObject({ id: { aud: 'own' } })
  expect((await run(['me'], '--client', 'srp', '--custom')).printedErrors).toMatch(
    /^The client srp does not have the flow 'custom'\. Its flows are /,
  )
  expect(await run(['Wrong-7even'])).toMatchObject({
    exitCode: 2,
    printedErrors: expect.stringContaining('Incorrect username or password.'),
  })
  expect((await run([], '--client', 'other')).printedErrors).toContain(
    'There is no client "other". The clients are plain, srp, own.',
  )
})

it('the command `sign-in` asks for the password when custom authentication begins with it', async () => {
  using folder = temporaryFolder()
  const clients = {
    own: { id: 'own', flows: ['custom'] },
    machine: { id: 'machine', flows: ['refresh'] },
  }
  const pool = { id: 'eu-central-1_Staff01', clients }
  const config = `export default ${JSON.stringify({ userPools: { staff: pool }, dataDir: 'data' })}`
  writeFileSync(join(folder.path, 'config.mjs'), config)
  const run = (answers: string[], ...args: string[]) =>
    signalboxAnswered(folder.path, answers, 'sign-in', 'staff', 'ann', ...args, '--config', 'config.mjs')
  const triggers = userPool(
    customAuth({
      challenges: [{ name: 'word', create: () => ({}), verify: ({ answer }) => answer === 'swordfish' }],
    }),
  )
  const handler = handlerOf(triggers)
  const answer = async (event: { readonly response: unknown }) => (await handler(event)).response
  await using setup = await listeningPool(
    {
      clients: clients as never,
      answers: {
        DefineAuthChallenge_Authentication: answer,
        CreateAuthChallenge_Authentication: answer,
        VerifyAuthChallengeResponse_Authentication: answer,
      } as never,
    },
    join(folder.path, 'data'),
  )
  await setup.platform.userPools.get('staff').users.add('ann', { password: 'Right-7even' })
  for (const option of [[], ['--custom']]) {
    const signedIn = await run(['Right-7even', 'swordfish'], '--decode', ...option)
    expect(signedIn).toMatchObject({
      exitCode: 0,
      printedErrors: expect.stringContaining('CUSTOM_CHALLENGE'),
    })
    expect(JSON.parse(signedIn.printed)).toMatchObject({ access: { username: 'ann' } })
  }
  for (const answers of [
    ['Wrong-7even', 'swordfish'],
    ['Right-7even', 'marlin'],
  ])
    expect(await run(answers)).toMatchObject({
      exitCode: 2,
      printedErrors: expect.stringContaining('Incorrect username or password.'),
    })
  expect((await run([], '--client', 'machine')).printedErrors).toBe(
    'The client machine does not have a flow of this command (password, srp, custom). Its flows are refresh.',
  )
})
