import { Linter } from 'eslint'
import { signalbox } from '../index.ts'
import { typescript } from './typescript.ts'

const address = 'https://github.com/signalbox/signalbox/blob/main/docs/contract/'

/** Returns the rule, the line and the row of the contract for each mistake in a module. */
export function mistakes(code: string, language: 'js' | 'ts' = 'js'): string[] {
  const options = language === 'ts' ? { languageOptions: { parser: typescript } } : {}
  const messages = new Linter().verify(
    code,
    [{ files: ['**/*.js', '**/*.ts'], ...options }, signalbox.configs.recommended],
    {
      filename: `handler.${language}`,
    },
  )
  return messages.map(({ ruleId, message, line }) => {
    const [, row] = message.split(` ${address}`)
    return `${ruleId?.replace('signalbox/', '')} ${line} ${row ?? message}`
  })
}
