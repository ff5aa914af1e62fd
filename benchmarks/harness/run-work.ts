import { allocations } from './allocation.ts'
import { compareAnswers } from './answers.ts'
import { type RoundOptions, timeInRounds } from './rounds.ts'
import { loadWork, type WorkName } from './work.ts'

/** The task of a separate process: to compare answers, to measure times, or to count allocated bytes. */
export type Task = 'answers' | 'times' | 'bytes'

/**
 * Runs each task of a work in its own process. Works must not affect each other's optimized code, the unusual
 * events of the comparison must not affect the speed for usual events, and allocations are counted with a young
 * generation that never fills up.
 */
if (process.send) {
  const [task, name, options] = process.argv.slice(2) as [Task, WorkName, string]
  const work = await loadWork(name)
  if (task === 'times') process.send(await timeInRounds(work, JSON.parse(options) as RoundOptions))
  if (task === 'bytes') process.send(await allocations(work))
  if (task === 'answers') {
    const differences: Record<string, object> = {}
    for (const setup of work.setups) {
      differences[setup.name] = Object.fromEntries(await compareAnswers(setup))
    }
    process.send(differences)
  }
  process.disconnect()
}
