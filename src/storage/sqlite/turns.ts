/**
 * Queues the work on the single connection. Statements may overlap; a transaction has the connection
 * to itself.
 */
export interface Turns {
  /** Calls `work` when its turn comes: at once, unless a transaction runs or waits. */
  pass<T>(work: () => Promise<T>): Promise<T>;
  /** As `pass`, but no other turn comes until `leave` is called. */
  take<T>(work: () => Promise<T>): Promise<T>;
  leave(): void;
}

/** @param maxWait milliseconds after which a waiting caller is rejected with `createTimeout()` */
export function createTurns(maxWait: number, createTimeout: () => Error): Turns {
  const queue: Waiting[] = [];
  let taken = false;

  return {
    pass: (work) => enqueue(false, work),
    take: (work) => enqueue(true, work),
    leave() {
      taken = false;
      advance();
    },
  };

  function enqueue<T>(alone: boolean, work: () => Promise<T>): Promise<T> {
    if (!taken && queue.length === 0) {
      taken = alone;
      return work();
    }
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        alone,
        // Work begins at once and in order: a late statement would run inside the next transaction.
        go() {
          clearTimeout(timer);
          work().then(resolve, reject);
        },
      };
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(waiting), 1);
        reject(createTimeout());
        advance();
      }, maxWait);
      queue.push(waiting);
    });
  }

  function advance(): void {
    while (!taken) {
      const next = queue.shift();
      if (next === undefined) return;
      taken = next.alone;
      next.go();
    }
  }
}

interface Waiting {
  readonly alone: boolean;
  readonly go: () => void;
}
