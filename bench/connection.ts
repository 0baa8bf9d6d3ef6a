/** A port → one keep-alive connection that asks one thing after another. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** As little of a client as there can be: it runs on the same cores. */
export class Connection {
  readonly #socket: Socket;
  #answer = '';
  #done: ((status: number) => void) | undefined;

  static async open(port: number): Promise<Connection> {
    const socket = connect(port, '127.0.0.1');
    socket.setNoDelay(true);
    await once(socket, 'connect');
    return new Connection(socket);
  }

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', data => {
      this.#answer += data.toString('latin1');
      const head = this.#answer.indexOf('\r\n\r\n');
      const [, length] = /content-length: (\d+)/i.exec(this.#answer) ?? [];
      if (head === -1 || length === undefined || this.#answer.length < head + 4 + Number(length)) return;
      const status = Number(this.#answer.slice(9, 12));
      this.#answer = '';
      this.#done?.(status);
    });
    socket.on('error', () => this.#done?.(0));
  }

  /** A large body is bytes already: to make them of a string would hold up who measures. */
  post(path: string, body: string | Buffer): Promise<number> {
    const head = `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}`;
    return new Promise(resolve => {
      this.#done = resolve;
      if (typeof body === 'string') this.#socket.write(`${head}\r\n\r\n${body}`);
      else {
        this.#socket.write(`${head}\r\n\r\n`);
        this.#socket.write(body);
      }
    });
  }

  close(): void {
    this.#socket.destroy();
  }
}
