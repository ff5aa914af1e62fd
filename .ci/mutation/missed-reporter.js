// Prints each missed mutant immediately, because a complete run takes a long time.
import { relative } from 'node:path'

/** @param {{ status: string }} mutant */
export const isMissed = ({ status }) => status !== 'Killed' && status !== 'Timeout' && status !== 'Ignored'

const onMutantTested = mutant => {
  if (!isMissed(mutant)) return
  const { fileName, location, mutatorName, replacement } = mutant
  const { line, column } = location.start
  console.log(
    `${relative('.', fileName)}:${line}:${column} ${mutatorName}: ${replacement.replace(/\s+/g, ' ')}`,
  )
}

export const strykerPlugins = [{ kind: 'Reporter', name: 'missed', factory: () => ({ onMutantTested }) }]
