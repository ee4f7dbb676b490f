const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');
if (isMainThread) {
  const numbers = require('fs').readFileSync(0, 'utf8').split(' ').map(Number);
  new Worker(__filename, { workerData: numbers }).on('message', (sum) => console.log(sum));
} else {
  parentPort.postMessage(workerData[0] + workerData[1]);
}
