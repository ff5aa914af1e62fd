import { compile } from '@signalbox/codec'
import { Ajv } from 'ajv'
import * as t from 'io-ts'
import { inTurn, sink } from '../data/turn.ts'
import type { Contender, Role, Setup, Work } from '../harness/work.ts'

/** Returns a setup whose events have `fields` fields. Every second field has two nested fields. */
function setup(fields: number): Setup {
  const names = Array.from({ length: fields / 4 }, (_, number) => `field${number}`)
  const inner = t.type({ name: t.string, known: t.boolean })
  const codec = t.type(
    Object.fromEntries(names.flatMap(name => [[name, t.string] as const, [`${name}s`, inner] as const])),
  )
  const text = { type: 'string' }
  const object = {
    type: 'object',
    required: ['name', 'known'],
    properties: { name: text, known: { type: 'boolean' } },
  }
  const properties = Object.fromEntries(
    names.flatMap(name => [[name, text] as const, [`${name}s`, object] as const]),
  )
  const schema = { type: 'object', required: Object.keys(properties), properties }
  const eventText = JSON.stringify(
    Object.fromEntries(
      names.flatMap((name, number): [string, unknown][] => [
        [name, `value ${number}`],
        [`${name}s`, { name: `value ${number}`, known: number % 2 === 0 }],
      ]),
    ),
  )
  const guarding = (name: string, role: Role, guard: (u: unknown) => boolean): Contender => {
    const next = inTurn(Array.from({ length: 8 }, () => JSON.parse(eventText) as unknown))
    return {
      name,
      role,
      run: () => {
        sink.value = guard(next())
      },
      answers: () => [
        guard(JSON.parse(eventText)),
        guard({}),
        guard(JSON.parse(eventText.replace('true', '1'))),
      ],
    }
  }
  return {
    name: `${fields} fields`,
    units: fields,
    contenders: [
      guarding('Signalbox compile', 'ours', compile(codec)),
      guarding('ajv', 'peer', new Ajv().compile<unknown>(schema)),
      guarding('io-ts is', 'peer', u => codec.is(u)),
    ],
  }
}

export const work: Work = {
  name: 'guard-growth',
  title: 'Guard events with more and more fields',
  unit: 'field',
  setups: [setup(16), setup(64), setup(128)],
  growth: [
    {
      of: 'Signalbox compile',
      from: '16 fields',
      to: '128 fields',
      atMost: 1.2,
      otherwise:
        'Codecs of a few fields are written out wherever they are used, up to some three hundred checks in one function; larger ones are functions that are called, and the compiler stops putting calls in line when there are many.',
    },
  ],
}
