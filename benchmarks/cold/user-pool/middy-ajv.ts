import middyValidator from '@middy/validator'
import { Ajv } from 'ajv'
import { stack } from '../../contenders/stack.ts'
import { jsonSchemaOfClaimsAnswer } from '../../contenders/token-claims/json-schema.ts'
import { jsonSchemaOfTokenGeneration } from '../../contenders/token-generation/json-schema.ts'
import { route } from './route.ts'

const ajv = new Ajv({ strict: false })

export const handler = stack()
  .use(
    middyValidator({
      eventSchema: ajv.compile(jsonSchemaOfTokenGeneration) as never,
      responseSchema: ajv.compile({
        type: 'object',
        properties: { response: jsonSchemaOfClaimsAnswer },
      }) as never,
    }),
  )
  .handler(route)
