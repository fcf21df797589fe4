// Events that were recorded on this device and that the hub has not answered yet. They are kept in the
// browser's database in the order of recording, also over reloads and without a connection. An entry is
// deleted once the hub has answered; until then it is sent again under the same id, which the hub stores
// once.
const DATABASE = 'lothub-record';
const STORE = 'events';

export interface Entry {
  /** The order of recording; the database sets it. */
  readonly order?: number;
  readonly externalId: string;
  readonly brand: string;
  /** Account of the person who recorded it: no event is sent under another name. */
  readonly who: string;
  /** The form as it is sent. */
  readonly body: string;
  /** For the person who looks at the list. */
  readonly label: string;
  readonly state: 'waiting' | 'refused';
  /** Why it was refused. */
  readonly words: readonly string[];
}

export interface KeptEntry extends Entry {
  readonly order: number;
}

export class RecordQueue {
  readonly #database: IDBDatabase;

  private constructor(database: IDBDatabase) {
    this.#database = database;
  }

  static async open(): Promise<RecordQueue> {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(STORE, { keyPath: 'order', autoIncrement: true });
    };
    return new RecordQueue(await awaitResult(request));
  }

  /** Resolves once it is on the disk of the device. */
  async add(entry: Entry): Promise<void> {
    await this.#change((store) => store.add(entry));
  }

  async put(entry: KeptEntry): Promise<void> {
    await this.#change((store) => store.put(entry));
  }

  async remove(order: number): Promise<void> {
    await this.#change((store) => store.delete(order));
  }

  /** Lists all entries of a brand, in their order. */
  async list(brand: string): Promise<readonly KeptEntry[]> {
    const store = this.#database.transaction(STORE, 'readonly').objectStore(STORE);
    // Written by this file.
    const found: unknown = await awaitResult(store.getAll());
    return Array.isArray(found)
      ? found.filter(isEntry).filter((entry) => entry.brand === brand)
      : [];
  }

  async #change(act: (store: IDBObjectStore) => IDBRequest): Promise<void> {
    const transaction = this.#database.transaction(STORE, 'readwrite', { durability: 'strict' });
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    transaction.oncomplete = () => resolve(undefined);
    transaction.onabort = () => reject(transaction.error ?? new Error('nothing was kept'));
    act(transaction.objectStore(STORE));
    await promise;
  }
}

async function awaitResult<Result>(request: IDBRequest<Result>): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error ?? new Error('the database of the browser failed'));
  return await promise;
}

function isEntry(value: unknown): value is KeptEntry {
  return typeof value === 'object' && value !== null && 'order' in value && 'body' in value;
}
