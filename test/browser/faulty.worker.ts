/** A simulator worker that breaks when it is told to. */
import { expose } from 'comlink';
import { loadOrt } from '../../src/models/ort';
import { SimulatorService } from '../../workers/service';

addEventListener('message', async ({ data }: MessageEvent<unknown>) => {
  if (data === 'close') close();
  if (data === 'lose-device') (await (await loadOrt('webgpu')).env.webgpu.device).destroy();
  if (data === 'crash') {
    setTimeout(() => {
      throw new Error('broken on purpose');
    });
  }
});

expose(new SimulatorService());
