/**
 * What was found, or something else when there is no such file or folder. That somebody may not look is another matter:
 * it rejects.
 */
export async function ifThere<T, U>(look: Promise<T>, otherwise: U): Promise<T | U> {
  try {
    return await look
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return otherwise
    throw error
  }
}
