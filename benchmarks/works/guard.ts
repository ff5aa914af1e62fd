import { compile } from '@signalbox/codec'
import { Ajv } from 'ajv'
import * as v from 'valibot'
import { isTokenGeneration } from '../contenders/token-generation/by-hand.ts'
import { IoTsTokenGeneration as IoTs } from '../contenders/token-generation/io-ts.ts'
import { jsonSchemaOfTokenGeneration } from '../contenders/token-generation/json-schema.ts'
import { TypeboxTokenGeneration as Typebox } from '../contenders/token-generation/typebox.ts'
import { ValibotTokenGeneration as Valibot } from '../contenders/token-generation/valibot.ts'
import { ZodTokenGeneration as Zod } from '../contenders/token-generation/zod.ts'
import { tokenGenerationText, tokenGenerationVariants } from '../data/token-generation.ts'
import { inTurn, sink } from '../data/turn.ts'
import type { Contender, Role, Work } from '../harness/work.ts'

const events = Array.from({ length: 16 }, (_, user): unknown => JSON.parse(tokenGenerationText(4, user)))
const variants = tokenGenerationVariants()

function guarding(name: string, role: Role, guard: (u: unknown) => boolean): Contender {
  const next = inTurn(events)
  return {
    name,
    role,
    run: () => {
      sink.value = guard(next())
    },
    answers: () => variants.map(({ event }) => guard(event)),
  }
}

export const work: Work = {
  name: 'guard',
  title: 'Guard one token-generation event',
  setups: [
    {
      name: 'valid event',
      contenders: [
        guarding('nothing checked', 'floor', u => u !== undefined),
        guarding('hand-written', 'limit', isTokenGeneration),
        guarding('Signalbox compile', 'ours', compile(IoTs)),
        guarding(
          'ajv',
          'peer',
          new Ajv({ allowUnionTypes: true }).compile<unknown>(jsonSchemaOfTokenGeneration),
        ),
        guarding('typebox compiled', 'peer', u => Typebox.Check(u)),
        guarding('io-ts is', 'peer', u => IoTs.is(u)),
        guarding('io-ts decode', 'peer', u => IoTs.decode(u)._tag === 'Right'),
        guarding('valibot', 'peer', u => v.is(Valibot, u)),
        guarding('zod 4', 'peer', u => Zod.safeParse(u).success),
      ],
    },
  ],
  ratios: [{ setup: 'valid event', of: 'Signalbox compile', to: 'ajv', atMost: 1 }],
}
