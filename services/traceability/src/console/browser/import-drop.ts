// Lets people drop a file on its form, and shows that the file is being sent.
const form = document.querySelector('form[data-drop]');

if (form instanceof HTMLFormElement) {
  const input = form.querySelector('input[type=file]');
  const status = form.querySelector('[data-status]');
  const button = form.querySelector('button[type=submit]');
  const mark = (isOver: boolean): void => void form.classList.toggle('over', isOver);

  form.addEventListener('dragover', (event) => {
    event.preventDefault();
    mark(true);
  });
  form.addEventListener('dragleave', () => mark(false));
  form.addEventListener('drop', (event) => {
    event.preventDefault();
    mark(false);
    const files = event.dataTransfer?.files;
    if (!(input instanceof HTMLInputElement) || files === undefined || files.length === 0) return;
    input.files = files;
    form.requestSubmit();
  });
  form.addEventListener('submit', () => {
    if (status !== null) status.textContent = form.dataset['sending'] ?? '';
    if (button instanceof HTMLButtonElement) button.disabled = true;
  });
  // The browser may show the page again in its last state.
  window.addEventListener('pageshow', () => {
    if (status !== null) status.textContent = '';
    if (button instanceof HTMLButtonElement) button.disabled = false;
  });
}
