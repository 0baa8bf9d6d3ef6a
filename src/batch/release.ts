/** Work on what an engine has found → its result; then what the run keeps on disk goes, unless it is to be resumed. */
export async function thenRelease<Result>(
  run: { release(isDone: boolean): void | Promise<void> },
  work: () => Promise<Result>,
): Promise<Result> {
  let isDone = false;
  try {
    const result = await work();
    isDone = true;
    return result;
  } finally {
    await run.release(isDone);
  }
}
