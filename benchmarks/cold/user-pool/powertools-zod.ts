import { parser } from '@aws-lambda-powertools/parser/middleware'
import { stack } from '../../contenders/stack.ts'
import { ZodClaimsAnswer } from '../../contenders/token-claims/zod.ts'
import { ZodTokenGeneration } from '../../contenders/token-generation/zod.ts'
import { route } from './route.ts'

export const handler = stack()
  .use(parser({ schema: ZodTokenGeneration }))
  .after(({ response }: { response: unknown }) => {
    ZodClaimsAnswer.parse((response as { readonly response: unknown }).response)
  })
  .handler(route)
