import type { EngineContext } from '../context/engine-context.ts'
import type { Change, Refusal } from '../store/user-pool-store.ts'
import { UserPoolError } from '../user-pool-error.ts'

/**
 * Applies a change to the store.
 * @throws UserPoolError when the store refuses it
 */
export async function apply(engine: Pick<EngineContext, 'store'>, change: Change): Promise<void> {
  const refusal = await engine.store.change(change)
  if (refusal !== undefined) throw errorOf(refusal)
}

/** The maximum number of attempts when concurrent changes conflict. */
const attempts = 5

/**
 * Applies a change that depends on stored data. Reads again and tries again if the data has changed in the meantime, or
 * if another account has taken a sign-in name.
 * @param read returns the change, or throws the right error if the change is no longer allowed
 * @throws UserPoolError when the store refuses the change
 */
export async function applyAgain(
  engine: Pick<EngineContext, 'store'>,
  read: () => Promise<Change>,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const refusal = await engine.store.change(await read())
    if (refusal === undefined) return
    const isWorthAgain = refusal === 'changed' || refusal === 'name taken'
    if (!isWorthAgain || attempt === attempts) throw errorOf(refusal)
  }
}

function errorOf(refusal: Refusal): UserPoolError {
  switch (refusal) {
    case 'name taken':
      return new UserPoolError('UsernameExistsException', 'User already exists')
    case 'gone':
      return new UserPoolError('ExpiredCodeException', 'Invalid code provided, please request a code again.')
    case 'locked':
      return new UserPoolError('NotAuthorizedException', 'Password attempts exceeded')
    case 'group taken':
      return new UserPoolError('GroupExistsException', 'A group with the name already exists.')
    case 'changed':
      return new UserPoolError('TooManyRequestsException', 'The user was changed meanwhile. Try again.')
  }
}
