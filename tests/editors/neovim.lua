-- Drives a real Neovim: what an author does, by keys and by the editor's own client of the language server.
-- Run by neovim.py, which writes the folder, says by the environment where it is, and looks at it afterwards.
local folder, umpire = vim.env.UMPIRE_FOLDER, vim.env.UMPIRE_COMMAND
local failed = 0

local function told(what, right, detail)
  if not right then failed = failed + 1 end
  io.stdout:write((right and "yes  " or "NO   ") .. what .. (detail and ": " .. tostring(detail) or "") .. "\n")
end

local function keys(text)
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(text, true, false, true), "xt", false)
end

local function wait(what) return vim.wait(20000, what, 1) end

vim.cmd("edit " .. folder .. "/house.yaml")
local buffer = vim.api.nvim_get_current_buf()
local client = vim.lsp.start_client({ name = "umpire", cmd = { umpire, "lsp" }, root_dir = folder })
vim.lsp.buf_attach_client(buffer, client)
vim.api.nvim_create_autocmd("FileType", { -- as a configuration does for every file
  pattern = "yaml",
  callback = function(opened) vim.lsp.buf_attach_client(opened.buf, client) end,
})
local answered = wait(function()
  local found = vim.lsp.get_client_by_id(client)
  return found ~= nil and found.initialized ~= nil and found.server_capabilities.hoverProvider ~= nil
end)
told("the server answers", answered)
local function known()
  local found = vim.lsp.buf_request_sync(buffer, "textDocument/documentSymbol",
    { textDocument = vim.lsp.util.make_text_document_params() }, 5000)
  return found ~= nil and found[client] ~= nil and found[client].result ~= nil and #found[client].result > 0
end
told("the outline of the file is there", wait(known))
told("a file that is right has no mark", #vim.diagnostic.get(buffer) == 0)

local function underlined()
  local words = {}
  for _, mark in ipairs(vim.diagnostic.get(buffer)) do
    local line = vim.api.nvim_buf_get_lines(buffer, mark.lnum, mark.lnum + 1, false)[1]
    table.insert(words, line:sub(mark.col + 1, mark.end_col))
  end
  return words
end

-- A mistake typed, and mended, again and again: how long until it is underlined.
local times = {}
for round = 1, 15 do
  keys("gg/armour is<CR>cwarmor<Esc>")
  local begun = vim.loop.hrtime()
  local found = wait(function() return #underlined() == 1 end)
  table.insert(times, (vim.loop.hrtime() - begun) / 1e6)
  if round == 1 then
    told("a mistake is underlined at its characters", found and underlined()[1] == "armor", vim.inspect(underlined()))
  end
  if round < 15 then
    keys("gg/armor is<CR>cwarmour<Esc>")
    wait(function() return #underlined() == 0 end)
    vim.wait(600)
  end
end
table.sort(times)
io.stdout:write(string.format("     underlined after %.0f ms (median of %d), at most %.0f ms\n", times[8], #times, times[#times]))

-- Its fix, chosen from the editor's list.
vim.wait(1500)
local offered = {}
vim.ui.select = function(items, _, choose)
  for _, item in ipairs(items) do
    local action = item.action or item[2] or item
    table.insert(offered, action.title)
    if action.title == "Write `armour`" then return choose(item) end
  end
end
keys("gg/armor is<CR>")
vim.lsp.buf.code_action()
local mended = wait(function() return vim.fn.search("armour is", "nw") > 0 and #underlined() == 0 end)
told("the fix mends it, and the mark goes", mended, table.concat(offered, ", "))

-- Completion: what fits behind a dot.
keys("gg/unit.armour<CR>")
local at = vim.api.nvim_win_get_cursor(0)
vim.api.nvim_win_set_cursor(0, { at[1], at[2] + 5 })
local answer = vim.lsp.buf_request_sync(buffer, "textDocument/completion", vim.lsp.util.make_position_params(), 5000)
local labels = {}
for _, item in ipairs(answer[client].result.items) do labels[item.label] = true end
told("completion offers what is on the card", labels.armour and labels.strength and not labels.heavy)

-- A rename goes through the folder.
keys("gg/armours.heavy<CR>wwl")
vim.lsp.buf.rename("plate")
told("a rename changes the file", wait(function() return vim.fn.search("armours.plate.save", "nw") > 0 end))
vim.wait(500)
vim.cmd("silent wall")
told("and leaves no mark", wait(function() return #vim.diagnostic.get(nil) == 0 end), vim.inspect(underlined()))
vim.cmd(failed > 0 and "cquit" or "qall!")
