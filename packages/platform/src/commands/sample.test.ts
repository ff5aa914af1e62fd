import { describe, expect, it } from '@jest/globals'
import { run } from '@signalbox/platform-runtime/command-line'
import { checkEvent } from '../check/check-event.ts'
import { captureTerminal } from '../testing/capture-terminal.ts'
import { families } from '../testing/whole-program.ts'
import { commands } from './all.ts'
import { sampleEvent, samplesOf } from './sample-event.ts'

const samples = samplesOf(families)
const sampleNames = Object.keys(samples)

async function running(...args: string[]) {
  const captured = captureTerminal('/')
  const exitCode = await run(args, commands, '0', captured.terminal)
  return { exitCode, printed: captured.printed, printedErrors: captured.printedErrors }
}

describe('signalbox sample', () => {
  it.each(sampleNames)('the sample "%s" is a valid event', async name => {
    expect(checkEvent(await sampleEvent(name, samples), families)).toMatchObject({ result: 'valid' })
  })

  it('prints the sample event for a name', async () => {
    const { exitCode, printed } = await running('sample', 'TokenGeneration')
    expect(exitCode).toBe(0)
    expect(JSON.parse(printed)).toMatchObject({ triggerSource: 'TokenGeneration_HostedAuth' })
  })

  it('refuses a sample name together with --list', async () => {
    expect(await running('sample', '--list', 'queue')).toMatchObject({ exitCode: 2, printed: '' })
  })

  it('prints the names of all samples with --list', async () => {
    const { printed } = await running('sample', '--list')
    expect(printed.split('\n')).toEqual(sampleNames)
  })

  it.each([
    ['sample', 'sample needs a name. --list prints all names.'],
    ['sample PreSignUp_SingUp', 'There is no sample "PreSignUp_SingUp". Did you mean PreSignUp_SignUp?'],
    ['sample mail', 'There is no sample "mail". Did you mean mail-flow?'],
    [
      'sample zzzzzzzzzzzzzzzz',
      'There is no sample "zzzzzzzzzzzzzzzz". signalbox sample --list prints all names.',
    ],
  ])('refuses "signalbox %s" with exit code 2 and a reason', async (line, sentence) => {
    expect(await running(...line.split(' '))).toMatchObject({
      exitCode: 2,
      printedErrors: expect.stringContaining(sentence),
    })
  })
})
