import { globSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'
import { run } from '@signalbox/platform-runtime/command-line'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { captureTerminal } from '../testing/capture-terminal.ts'
import { families } from '../testing/whole-program.ts'
import { check } from './check.ts'
import { invoke } from './invoke.ts'
import { sample } from './sample.ts'
import { samplesOf } from './sample-event.ts'

const sampleNames = Object.keys(samplesOf(families))

const awsEvents = fileURLToPath(new URL('../../../aws/fixtures/events', import.meta.url))

async function signalbox(cwd: string, ...args: string[]) {
  const captured = captureTerminal(cwd)
  const exitCode = await run(args, [check, invoke, sample], '0', captured.terminal)
  return { exitCode, printed: captured.printed, printedErrors: captured.printedErrors }
}

describe('signalbox check --dialect aws', () => {
  it('accepts every example event of the AWS package', async () => {
    const files = globSync('**/*.json', { cwd: awsEvents })
    const { exitCode, printed } = await signalbox(awsEvents, 'check', '--dialect', 'aws', ...files)
    expect(exitCode).toBe(0)
    expect(printed.split('\n').filter(line => line.startsWith('✔'))).toHaveLength(files.length)
    expect(printed).toContain('cognito/TokenGeneration_Authentication.json: user-pool, valid')
    expect(printed).toContain('sqs/fifo.json: queue, valid')
    expect(printed).toContain('workmail/inbound.json: mail-flow, valid')
    expect(printed).toContain('alb/multi.json: load-balancer, valid')
  })

  it('is suggested when AWS events are checked without it', async () => {
    const { exitCode, printed } = await signalbox(awsEvents, 'check', 'sqs/fifo.json')
    expect(exitCode).toBe(1)
    expect(printed).toContain('unknown family. It is a queue event in the dialect aws: use --dialect aws.')
    const trigger = await signalbox(awsEvents, 'check', 'cognito/TokenGeneration_Authentication.json')
    expect(trigger.printed).toMatch(/\n {4}It has words of the dialect aws: use --dialect aws\.$/)
  })

  it('refuses an unknown dialect', async () => {
    expect(await signalbox(awsEvents, 'check', '--dialect', 'asw', 'sqs/fifo.json')).toMatchObject({
      exitCode: 2,
      printedErrors: expect.stringContaining('There is no dialect "asw". Did you mean aws?'),
    })
    expect(await signalbox(awsEvents, 'sample', '--dialect', 'toString', 'queue')).toMatchObject({
      exitCode: 2,
      printedErrors: expect.stringContaining('There is no dialect "toString". There is aws.'),
    })
  })
})

describe('signalbox invoke --dialect aws', () => {
  it('sends an AWS event to a function with the dialect, and to a function without it', async () => {
    using folder = temporaryFolder()
    writeFileSync(
      join(folder.path, 'functions.js'),
      `export const handler = ({ Records: [{ eventSource }] }) => {
         console.log(eventSource)
         return { batchItemFailures: [] }
       }`,
    )
    writeFileSync(
      join(folder.path, 'signalbox.config.js'),
      `export default {
         functions: { aws: { module: './functions.js', dialect: 'aws' }, neutral: { module: './functions.js' } },
       }`,
    )
    const file = join(awsEvents, 'sqs/fifo.json')
    for (const [name, source] of [
      ['aws', 'aws:sqs'],
      ['neutral', 'cloud:queue'],
    ] as const) {
      expect(await signalbox(folder.path, 'invoke', name, file, '--dialect', 'aws')).toMatchObject({
        exitCode: 0,
        printed: expect.stringMatching(new RegExp(`^logs\\n${source}\\n.*\\nverdict success`, 's')),
      })
    }
  })

  it('prints the payload and the verdict with AWS names, for an event file and for a sample event', async () => {
    using folder = triggerProject()
    const file = join(awsEvents, 'cognito/TokenGeneration_Authentication.json')
    for (const from of [[file], ['--sample', 'TokenGeneration']]) {
      const { printed } = await signalbox(folder.path, 'invoke', 'neutral', ...from, '--dialect', 'aws')
      expect(printed).toContain('"awsSdkVersion"')
      expect(printed).toContain(
        'verdict accepted with {"claimsOverrideDetails":{"claimsToSuppress":["cognito:roles"]}}',
      )
      expect(printed).not.toMatch(/cloudSdkVersion|pool:roles/)
    }
    const neutral = await signalbox(folder.path, 'invoke', 'neutral', '--sample', 'TokenGeneration')
    expect(neutral.printed).toContain('"claimsToSuppress":["pool:roles"]')
  })

  it('is suggested when an AWS event is sent without it', async () => {
    using folder = triggerProject()
    const send = (file: string) => signalbox(folder.path, 'invoke', 'neutral', join(awsEvents, file))
    expect(await send('sqs/fifo.json')).toMatchObject({
      exitCode: 2,
      printedErrors: expect.stringMatching(
        /fifo\.json cannot be sent: it is a queue event in the dialect aws\. Use --dialect aws\.$/,
      ),
    })
    expect(await send('cognito/TokenGeneration_Authentication.json')).toMatchObject({
      exitCode: 0,
      printedErrors: expect.stringMatching(
        /TokenGeneration_Authentication\.json has words of the dialect aws, which are sent as they are\. Use --dialect aws\.$/,
      ),
    })
    expect((await send('workmail/inbound.json')).printedErrors).toBe('')
  })
})

/** Returns a project with a function that suppresses a claim. */
function triggerProject() {
  const folder = temporaryFolder()
  writeFileSync(
    join(folder.path, 'functions.js'),
    `export const handler = event => ({
       ...event,
       response: { claimsOverrideDetails: { claimsToSuppress: ['pool:roles'] } },
     })`,
  )
  writeFileSync(
    join(folder.path, 'signalbox.config.js'),
    "export default { functions: { neutral: { module: './functions.js' } } }",
  )
  return folder
}

describe('signalbox sample --dialect aws', () => {
  it('prints a sample in AWS format', async () => {
    const { printed } = await signalbox('.', 'sample', '--dialect', 'aws', 'queue')
    expect(JSON.parse(printed).Records[0]).toMatchObject({
      eventSource: 'aws:sqs',
      awsRegion: expect.any(String),
    })
    const trigger = await signalbox('.', 'sample', '--dialect', 'aws', 'user-pool')
    expect(JSON.parse(trigger.printed).callerContext).toHaveProperty('awsSdkVersion')
  })

  it('prints samples that check --dialect aws accepts', async () => {
    using folder = temporaryFolder()
    for (const name of sampleNames) {
      const { printed } = await signalbox('.', 'sample', '--dialect', 'aws', name)
      writeFileSync(join(folder.path, `${name}.json`), printed)
    }
    const files = globSync('*.json', { cwd: folder.path }).map(file => relative('.', file))
    const { exitCode, printed } = await signalbox(folder.path, 'check', '--dialect', 'aws', ...files)
    expect([exitCode, printed.split('\n').filter(line => !line.startsWith('✔'))]).toEqual([0, []])
  })
})
