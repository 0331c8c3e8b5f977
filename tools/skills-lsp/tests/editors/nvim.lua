-- Neovim without a screen: opens a faulty skill with the server as its client, waits for the problem, asks what is told of a
-- place and what may be typed, and takes the quick fix. The environment says where; prints one line of JSON into a file.
local folder, command, result = vim.env.LSP_FOLDER, vim.env.LSP_COMMAND, vim.env.LSP_RESULT
local file = folder .. '/skills/commit-message/SKILL.md'
vim.cmd('edit ' .. vim.fn.fnameescape(file))
local buffer = vim.api.nvim_get_current_buf()
local id = vim.lsp.start_client({
  name = 'skills',
  cmd = { command, 'lsp' },
  root_dir = folder,
  workspace_folders = { { uri = vim.uri_from_fname(folder), name = 'w' } },
})
vim.lsp.buf_attach_client(buffer, id)
assert(vim.wait(20000, function() return vim.lsp.get_client_by_id(id) ~= nil and vim.lsp.get_client_by_id(id).initialized end))
vim.api.nvim_buf_set_lines(buffer, 2, 3, false, { 'description: Use when: a commit is written' })
assert(vim.wait(20000, function() return #vim.diagnostic.get(buffer) > 0 end), 'no problem is told')
local found = vim.diagnostic.get(buffer)[1]
local out = { code = found.code or found.user_data.lsp.code, line = found.lnum }
local function ask(method, params)
  local answer = vim.lsp.buf_request_sync(buffer, method, params, 20000)
  return answer[id] and answer[id].result
end
local document = vim.lsp.util.make_text_document_params(buffer)
out.hover = ask('textDocument/hover', { textDocument = document, position = { line = 2, character = 3 } }).contents.value:find('**description**', 1, true) ~= nil
out.items = #ask('textDocument/completion', { textDocument = document, position = { line = 2, character = 4 } }) > 5
local range = { start = { line = 2, character = 0 }, ['end'] = { line = 2, character = 30 } }
local actions = ask('textDocument/codeAction', { textDocument = document, range = range, context = { diagnostics = {}, only = { 'quickfix' } } })
vim.lsp.util.apply_workspace_edit(actions[1].edit, 'utf-16')
out.fixed = vim.api.nvim_buf_get_lines(buffer, 2, 3, false)[1]
assert(vim.wait(20000, function() return #vim.diagnostic.get(buffer) == 0 end), 'the problem stays')
-- A code lens runs the skill through a command that this client binds, and links lead to files.
vim.cmd('edit ' .. vim.fn.fnameescape(folder .. '/skills/csv-profile/SKILL.md'))
buffer = vim.api.nvim_get_current_buf()
vim.lsp.buf_attach_client(buffer, id)
document = vim.lsp.util.make_text_document_params(buffer)
local lens = ask('textDocument/codeLens', { textDocument = document })[1]
vim.lsp.commands['skills.run'] = function(command, context)
  local answer = vim.lsp.buf_request_sync(buffer, 'workspace/executeCommand', { command = command.command, arguments = command.arguments }, 20000)
  out.run = answer[context.client_id].result.line:gsub(vim.pesc(folder), 'FOLDER')
end
vim.lsp.commands[lens.command.command](lens.command, { client_id = id })
out.lens = lens.command.title
out.links = #ask('textDocument/documentLink', { textDocument = document }) > 0
local handle = io.open(result, 'w')
handle:write(vim.fn.json_encode(out))
handle:close()
vim.lsp.stop_client(id)
vim.wait(300, function() return false end)
vim.cmd('qall!')
