import { type Guard, isGuard } from './guard.ts'
import type { Produces } from './produces.ts'
import type { Route } from './route.ts'

/** The parts of a route that say which guards it has. */
type GuardedRoute = Pick<Route, 'input' | 'middlewares'>

/** Returns the guards of a route and its groups, the outermost first. */
export function guardsOf({ input, middlewares }: GuardedRoute): readonly Guard[] {
  return [...middlewares.filter(isGuard), ...(input?.guard ? [input.guard] : [])]
}

/** Returns the media types of the innermost `produces()` of a route, or undefined if it has none. */
export function answerTypesOf(route: GuardedRoute): readonly string[] | undefined {
  return guardsOf(route).findLast((each): each is Produces<string> => 'answerTypes' in each)?.answerTypes
}
